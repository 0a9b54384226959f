import { describe, expect, it } from 'vitest';
import { databaseUrl, descriptorNotices } from '../../src/entry/host.ts';
import { testSettings } from '../support/service.ts';

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \n` +
  `Max processes             1024                 1024                 processes \n` +
  `Max open files            ${soft.padEnd(20)} 1048576              files     \n`;

describe('U12 the notice about open files', () => {
  it.each(['1024', '49999', '0'])('is given for %s', (soft) => {
    expect(descriptorNotices(limits(soft))).toEqual([
      `The limit of open files is ${soft}. Raise it to at least 50000 (ulimit -n, LimitNOFILE)`,
    ]);
  });

  it.each(['50000', '1048576', 'unlimited'])('is not given for %s', (soft) => {
    expect(descriptorNotices(limits(soft))).toEqual([]);
  });

  it('is not given where there are no such limits', () => {
    expect(descriptorNotices('')).toEqual([]);
  });
});

describe('the database', () => {
  it('is a file in the root unless the settings say otherwise', () => {
    expect(databaseUrl({ ...testSettings, root: '/data/a b', database: '' })).toBe('file:///data/a%20b/portico.db');
    expect(databaseUrl({ ...testSettings, database: 'memory:' })).toBe('memory:');
  });
});
