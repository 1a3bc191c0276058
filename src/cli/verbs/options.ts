// Options of verbs that bring a prompt to an agent.
import type { Option } from '../parse.ts';

export const queue: Option = { type: 'boolean', doc: 'While the agent works or is blocked: queue instead of refusing.' };
export const later: Option = { type: 'boolean', doc: 'Queue it in any case, for the end of the turn that the agent is in or begins next.' };
