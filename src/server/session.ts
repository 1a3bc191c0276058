// One session: its parts and how they hear of each other. Requests work on this; it parses nothing and draws nothing.

import type { Kind } from '../agents/kinds/kind.ts';
import type { SessionPaths } from '../config/paths.ts';
import type { Config } from '../config/settings.ts';
import type { Git } from '../git/api.ts';
import type { OuterTerminal } from '../model/outer.ts';
import type { Store } from '../store/store.ts';
import type { Clients } from './clients.ts';
import type { Intake } from './intake.ts';
import type { Mailboxes } from './mailbox.ts';
import type { Pictures } from './pictures.ts';
import type { FirstFrames } from './publish/first-frame.ts';
import type { Publisher } from './publish/publisher.ts';
import type { Sizing } from './publish/sizing.ts';
import type { AgentMemories } from './state/agent-memory.ts';
import type { Attention } from './state/attention.ts';
import type { Batches } from './state/batches.ts';
import type { Comments } from './state/comments.ts';
import type { EventLog } from './state/event-log.ts';
import type { Layouts } from './state/layouts.ts';
import type { Prompts } from './state/prompts.ts';
import type { Sendings } from './state/sendings.ts';
import type { Terminals } from './state/terminals.ts';
import type { Workspaces } from './state/workspaces.ts';
import type { TerminalHost } from './terminal-host.ts';

export interface Session {
  readonly name: string;
  readonly version: string;
  /** Version of what clients and server say to each other. */
  readonly protocol: number;
  readonly started: number;
  readonly paths: SessionPaths;
  readonly config: Config;
  /** HERD_DIR of the session, for its panes. */
  readonly herdDir: string | undefined;
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly store: Store;
  readonly git: Git;
  readonly host: TerminalHost;
  readonly clients: Clients;
  readonly intake: Intake;
  readonly publisher: Publisher;
  readonly firstFrames: FirstFrames;
  readonly sizing: Sizing;
  readonly log: EventLog;
  readonly terminals: Terminals;
  readonly comments: Comments;
  readonly mailboxes: Mailboxes;
  readonly pictures: Pictures;
  readonly workspaces: Workspaces;
  readonly prompts: Prompts;
  readonly sendings: Sendings;
  readonly attention: Attention;
  readonly layouts: Layouts;
  readonly batches: Batches;
  readonly memories: AgentMemories;
  /** What people should know when they attach: a file kept aside, a faulty setting. */
  readonly notices: string[];
  /** Terminals set aside because their output ended the server. */
  readonly quarantined: number[];
  /** The session ends with its last terminal. */
  ephemeral: boolean;
  /** It has ended for good and takes its files along. */
  vanishing: boolean;
  /** The terminal of the client that looks or looked last. */
  outer: OuterTerminal | null;
  now(): number;
  /** Ends this server: 'stop' with all programs and the holder, 'restart' for another to follow. */
  end(how: 'stop' | 'restart'): Promise<void>;
}
