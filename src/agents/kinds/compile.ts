// A kind's strings as regular expressions, made once for all that use the kind. Patterns were checked by `parse-kind.ts`.
import type { ComposerShape, Kind, ScreenRule, TitleRule } from './kind.ts';

export interface CompiledRule {
  rule: ScreenRule;
  any: RegExp[];
  not: RegExp[];
}

export interface CompiledComposer {
  shape: ComposerShape;
  top: RegExp | null;
  first: RegExp;
  more: RegExp | null;
  bottom: RegExp | null;
  placeholder: RegExp[];
}

export interface CompiledKind {
  kind: Kind;
  titles: { rule: TitleRule; match: RegExp }[];
  composer: CompiledComposer | null;
  rules: CompiledRule[];
  folded: RegExp[];
  shows: { context: RegExp | null; cost: RegExp | null; task: RegExp | null };
}

const regex = (source: string): RegExp => new RegExp(source, 'imu');
const maybe = (source: string | undefined): RegExp | null => (source === undefined ? null : regex(source));

/** Two hundred agents of a kind share what the engine makes of its patterns. */
const made = new WeakMap<Kind, CompiledKind>();

/** Throws a SyntaxError on a broken pattern, which `parseKind` would have named. */
export function compileKind(kind: Kind): CompiledKind {
  const known = made.get(kind);
  if (known) return known;
  const compiled = compile(kind);
  made.set(kind, compiled);
  return compiled;
}

function compile(kind: Kind): CompiledKind {
  const c = kind.composer;
  return {
    kind,
    titles: kind.titles.map((rule) => ({ rule, match: regex(rule.match) })),
    composer: c && {
      shape: c,
      top: maybe(c.top),
      first: regex(c.first),
      more: maybe(c.more),
      bottom: maybe(c.bottom),
      placeholder: (c.placeholder ?? []).map(regex),
    },
    rules: kind.rules.map((rule) => ({ rule, any: rule.any.map(regex), not: (rule.not ?? []).map(regex) })),
    folded: kind.prompt.folded.map(regex),
    shows: { context: maybe(kind.shows.context), cost: maybe(kind.shows.cost), task: maybe(kind.shows.task) },
  };
}
