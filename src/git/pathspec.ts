// Names of files as git's commands take them. A name alone also stands for all that lies below a folder of that name, on either side of a
// comparison and in the index: where a file became a folder, that is other files.

/** What must stand in the environment of a command that is given `exactly` some files: the names are literal by themselves. */
export const EXACT: Readonly<Record<string, string>> = { GIT_LITERAL_PATHSPECS: '0' };

/** The files alone. */
export function exactly(...paths: string[]): string[] {
  const above = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
  return [...paths.map((path) => `:(top,literal)${path}`), ...above.map((path) => `:(top,exclude,literal)${path}/`)];
}
