import { describe, expect, it } from 'vitest';
import { accessRows } from '../../src/pages/item/item.ts';

const generic = { type: 'GENERIC', priority: 0, effectivePermission: 'READ', permission: 'READ' };

describe('access to an item', () => {
  it('is one row for entries that say the same, with all of their origins', () => {
    const own = { ...generic, username: 'bo', id: 'VX-1' };
    const inherited = { ...generic, username: 'bo', id: 'VX-2', collection: 'VX-9' };
    const [row, ...others] = accessRows([own, inherited, { ...own, id: 'VX-3' }]);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ username: 'bo', level: 'READ', removable: ['VX-1', 'VX-3'] });
    expect(row!.entries.map(({ id }) => id)).toEqual(['VX-1', 'VX-2', 'VX-3']);
  });

  it('has a row for each group, level, kind and field', () => {
    const entries = [
      { ...generic, username: 'bo' },
      { ...generic, username: 'bo', group: 'desk' },
      { ...generic, username: 'bo', effectivePermission: 'NONE' },
      { ...generic, username: 'bo', type: 'METADATA' },
      { ...generic, username: 'bo', type: 'METADATA', extradata: 'title' },
      { ...generic, username: 'ann' },
    ];
    expect(accessRows(entries)).toHaveLength(entries.length);
  });

  it('keeps owners: the entry of an owner is not taken away', () => {
    const owner = { ...generic, username: 'bo', permission: 'OWNER', effectivePermission: 'OWNER', id: 'VX-1' };
    expect(accessRows([owner])[0]).toMatchObject({ level: 'OWNER', removable: [] });
  });
});
