// How much quiet ends a turn: by the kind, by what has shown the turn, and by whether the agent writes while nothing changes.
import type { AgentEvidence } from './agent-evidence.ts';
import { PULSE_GAP } from './motion.ts';

/** ms of quiet that end a turn which no rule has ever matched: the longest gap measured while working was 2.6 s. */
const UNPROVEN_REST = 3000;
/** ms of quiet that end a turn whose standing sign has gone: what a redraw takes. */
export const SIGN_GONE = 250;
/** ms of quiet that end a turn after which the footer is again what it was before the prompt, where no rule knows its words. */
const FOOTER_BACK = 600;
/** ms for which a program must have written without a pause before that it has stopped says anything. */
const PULSE_LEARNT = 1000;
/** ms for which writing alone, with nothing to be seen of it, keeps a turn going: a model that thinks between two sentences. */
const PULSE_TRUSTED = 60_000;

/** When the quiet has lasted long enough to mean rest, if nothing comes until then. */
export function quietEnd(e: AgentEvidence): number {
  const { changed, output, steady } = e.motion;
  const quiet = changed + restOf(e);
  if (!e.kind.kind.motion.pulses || e.bearing !== 'working' || output - steady < PULSE_LEARNT) return quiet;
  return Math.min(output + PULSE_GAP, changed + PULSE_TRUSTED);
}

/** ms of quiet that mean rest. Without a sign that the kind's rules still fit its screen, only a long one does. */
export function restOf(e: AgentEvidence): number {
  const { rest } = e.kind.kind.motion;
  // Below a notice no sign is to be seen.
  if (e.look?.notice) return Math.max(rest, UNPROVEN_REST);
  const runs = e.bearing === 'working' || (e.bearing === 'blocked' && e.asksInTurn);
  // Some hide their hints while a draft stands in the box.
  const signGone = e.signed && !e.look?.composer?.draft;
  if (signGone || !runs) return Math.min(rest, SIGN_GONE);
  if (e.footer.back !== null) return Math.min(rest, FOOTER_BACK);
  return e.proven ? rest : Math.max(rest, UNPROVEN_REST);
}
