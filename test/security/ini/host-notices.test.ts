import { describe, expect, it } from 'vitest';
import { databaseUrl, descriptorNotices, passwordNotices } from '../../../src/entry/host.ts';
import { testSettings } from '../../support/service.ts';

const limits = (soft: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \n` +
  `Max processes             1024                 1024                 processes \n` +
  `Max open files            ${soft.padEnd(20)} 1048576              files     \n`;

describe('the notice about short passwords', () => {
  it.each([
    ['0.0.0.0', 1, 1],
    ['::', 7, 1],
    ['192.0.2.1', 1, 1],
    ['0.0.0.0', 8, 0],
    ['127.0.0.1', 1, 0],
    ['127.9.9.9', 1, 0],
    ['::1', 1, 0],
    ['localhost', 1, 0],
  ])('on %s with %i: %i', (host, minPasswordLength, count) => {
    const notices = passwordNotices({ host, minPasswordLength });
    expect(notices).toHaveLength(count);
    for (const notice of notices) expect(notice).toContain('PORTICO_MIN_PASSWORD_LENGTH');
  });
});

describe('the notice about open files', () => {
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
