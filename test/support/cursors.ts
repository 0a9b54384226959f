import { expect } from 'vitest';

interface CursorPage {
  readonly entries: readonly unknown[];
  readonly next?: string | undefined;
}

/**
 * Pages of a list by a cursor, read to the end: every page has a cursor, and the empty one behind the last entry has the
 * cursor that asked for it. It is not among the pages.
 */
export async function pagesByCursor<Page extends CursorPage>(
  read: (cursor: string) => Promise<Page>,
  title = 'by cursor',
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  for (let cursor = '*'; ; ) {
    const page = await read(cursor);
    expect(page.next, title).toBeTypeOf('string');
    if (page.entries.length === 0) {
      expect(page.next, title).toBe(cursor);
      return pages;
    }
    expect(page.next, title).not.toBe(cursor);
    pages.push(page);
    cursor = page.next!;
  }
}
