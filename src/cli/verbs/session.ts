// Verbs about the session, what is installed, and herd itself.
import type { Option } from '../parse.ts';
import type { Verb } from '../verb.ts';

const server = () => import('../commands/server.ts');
const integration = () => import('../commands/integration.ts');
const session = () => import('../commands/session.ts');
const skill = () => import('../commands/skill.ts');

const skillPlace: Record<string, Option> = {
  for: { type: 'string', value: 'KIND', doc: 'Only for this kind of agent.' },
  repo: { type: 'string', value: 'PATH', doc: 'Into a repository instead of the home folder.' },
};

export const SESSION_VERBS: Record<string, Verb> = {
  demo: {
    usage: ['demo [--speed N]'],
    summary: 'The whole loop on a throw-away repository with scripted agents: no agent, no key needed.',
    words: [0, 0],
    session: 'demo',
    options: { speed: { type: 'string', value: 'N', doc: 'How much faster than people read; 1 unless given.' } },
    load: async () => (await import('../commands/demo.ts')).run,
  },
  'skill install': {
    usage: ['skill install [--for KIND] [--repo PATH] [--force]'],
    summary: 'Put herd’s skills where agents find them; what you have changed in them stays.',
    words: [0, 0],
    options: { ...skillPlace, force: { type: 'boolean', doc: 'Over what was changed, too.' } },
    load: async () => (await skill()).install,
  },
  'skill uninstall': {
    usage: ['skill uninstall [--for KIND] [--repo PATH]'],
    summary: 'Take herd’s skills away again; what you have changed in them stays.',
    words: [0, 0],
    options: skillPlace,
    load: async () => (await skill()).uninstall,
  },
  'skill path': {
    usage: ['skill path'],
    summary: 'Print the folder of herd’s skills.',
    words: [0, 0],
    load: async () => (await skill()).path,
  },
  'integration install': {
    usage: ['integration install KIND [--yes]'],
    summary: 'Add herd’s hooks to an agent’s own configuration; shows the change first.',
    words: [1, 1],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await integration()).install,
  },
  'integration uninstall': {
    usage: ['integration uninstall KIND [--yes]'],
    summary: 'Take herd’s hooks away again, and nothing else.',
    words: [1, 1],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await integration()).uninstall,
  },
  hook: {
    usage: ['hook KIND'],
    summary: 'Tell herd what an agent’s hook says; run by the agent.',
    words: [1, 1],
    hidden: true,
    load: async () => (await import('../commands/hook.ts')).run,
  },
  'server status': {
    usage: ['server status'],
    summary: 'The session’s server and holder.',
    words: [0, 0],
    load: async () => (await server()).status,
  },
  'server ping': {
    usage: ['server ping'],
    summary: 'Exit code 0 when the server answers.',
    words: [0, 0],
    load: async () => (await server()).ping,
  },
  'server pid': { usage: ['server pid'], summary: 'Print the server’s process id.', words: [0, 0], load: async () => (await server()).pid },
  'server restart': {
    usage: ['server restart'],
    summary: 'Start the server anew, from this version; agents go on.',
    words: [0, 0],
    load: async () => (await server()).restart,
  },
  'server stop': {
    usage: ['server stop [--yes]'],
    summary: 'End the session: agents, their children, holder and server; asks when agents live.',
    words: [0, 0],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await server()).stop,
  },
  'session list': {
    usage: ['session list'],
    summary: 'Sessions of this user.',
    words: [0, 0],
    load: async () => (await session()).list,
  },
  'session kill': {
    usage: ['session kill NAME'],
    summary: 'End a session with everything in it.',
    words: [1, 1],
    load: async () => (await session()).kill,
  },
  doctor: {
    usage: ['doctor [--fix]'],
    summary: 'Look for what could keep herd from working.',
    words: [0, 0],
    options: { fix: { type: 'boolean', doc: 'Repair what can be repaired without loss.' } },
    load: async () => (await import('../commands/doctor.ts')).run,
  },
  reset: {
    usage: ['reset'],
    summary: 'Bring this terminal back to its senses after a client died in it.',
    words: [0, 0],
    load: async () => (await import('../commands/reset.ts')).run,
  },
  'demo-agent': {
    usage: ['demo-agent NAME [--speed N]'],
    summary: 'The scripted agent of the demo.',
    words: [1, 1],
    hidden: true,
    options: { speed: { type: 'string', value: 'N', doc: 'How much faster; 1 unless given.' } },
    load: async () => (await import('../commands/demo.ts')).agent,
  },
  server: {
    usage: ['server --session NAME'],
    summary: 'Be the server of a session, in the foreground.',
    words: [0, 0],
    hidden: true,
    options: { quarantine: { type: 'string', value: 'IDS', doc: 'Terminals to set aside.' } },
    load: async () => (await import('../commands/serve.ts')).run,
  },
  holder: {
    usage: ['holder --session NAME'],
    summary: 'Hold a session’s terminals; started by herd itself.',
    words: [0, 0],
    hidden: true,
    load: async () => (await import('../commands/holder.ts')).run,
  },
  'config allow': {
    usage: ['config allow [PATH] [--yes]'],
    summary: 'See and allow the commands that a repository’s .herd.toml runs in new worktrees; anew whenever they change.',
    words: [0, 1],
    options: { yes: { type: 'boolean', short: 'y', doc: 'Do not ask.' } },
    load: async () => (await import('../commands/config.ts')).allowSetup,
  },
  'config check': {
    usage: ['config check'],
    summary: 'Check config.toml; faults with file, line and key.',
    words: [0, 0],
    load: async () => (await import('../commands/config.ts')).check,
  },
};
