// Path patterns: `*` and `?` within a folder, `**` across folders, a trailing `/` for everything below. Pure.

/** Whether `path` (relative, `/` between folders) is matched by one of `patterns`. */
export function allowed(path: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => patternMatcher(pattern).test(path));
}

/** A pattern as a regular expression for whole paths. */
export function patternMatcher(pattern: string): RegExp {
  const source = segments(pattern)
    .map((segment, i, all) => {
      const last = i === all.length - 1;
      if (segment === '**') return last ? '.*' : '(?:.*/)?';
      return `${segmentSource(segment)}${last ? '' : '/'}`;
    })
    .join('');
  return new RegExp(`^${source}$`, 's');
}

/** Whether some path could be matched by both: exact for these patterns, no files are looked at. */
export function overlaps(a: string, b: string): boolean {
  return segmentsMeet(segments(a), segments(b), 0, 0);
}

function segments(pattern: string): string[] {
  const clean = pattern.replace(/^\.\//, '').replace(/\/+/g, '/');
  return (clean.endsWith('/') ? `${clean}**` : clean).split('/');
}

function segmentSource(segment: string): string {
  return segment
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]');
}

function segmentsMeet(a: string[], b: string[], i: number, j: number): boolean {
  if (i === a.length && j === b.length) return true;
  if (a[i] === '**') return segmentsMeet(a, b, i + 1, j) || (j < b.length && segmentsMeet(a, b, i, j + 1));
  if (b[j] === '**') return segmentsMeet(a, b, i, j + 1) || (i < a.length && segmentsMeet(a, b, i + 1, j));
  if (i === a.length || j === b.length) return false;
  return textsMeet(a[i]!, b[j]!, 0, 0) && segmentsMeet(a, b, i + 1, j + 1);
}

function textsMeet(a: string, b: string, i: number, j: number): boolean {
  if (i === a.length && j === b.length) return true;
  if (a[i] === '*') return textsMeet(a, b, i + 1, j) || (j < b.length && textsMeet(a, b, i, j + 1));
  if (b[j] === '*') return textsMeet(a, b, i, j + 1) || (i < a.length && textsMeet(a, b, i + 1, j));
  if (i === a.length || j === b.length) return false;
  return (a[i] === b[j] || a[i] === '?' || b[j] === '?') && textsMeet(a, b, i + 1, j + 1);
}
