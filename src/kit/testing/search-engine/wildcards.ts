/** Whether a whole text fits a pattern: `*` stands for any characters, `?` for one. Nothing is escaped. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const parts = Array.from(pattern, (character) =>
    character === '*' ? '.*' : character === '?' ? '.' : character.replace(/[\\^$.*+?()[\]{}|/-]/u, '\\$&'),
  );
  const expression = new RegExp(`^${parts.join('').replace(/(?:\.\*){2,}/g, '.*')}$`, 'su');
  return (text) => expression.test(text);
}
