import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { canonicalTarget } from '../../src/security/path.ts';
import { make, requestOf, told } from './support.ts';

const filterOf = (given = {}) => make(filterComponents['portico.InvalidRequestFilter']!, given);
const allOff = { blockSemicolon: false, blockBackslash: false, blockNonAscii: false };
const allOn = {
  blockTraversal: true,
  blockEncodedPeriod: true,
  blockEncodedForwardSlash: true,
  blockRewriteTraversal: true,
};

/** Properties, the target as it came, the path made of it, and the reason. */
const cases: readonly (readonly [object, string, string, string])[] = [
  [{}, '/a', '/a', 'pass'],
  [{}, '/a%20b/~', '/a b/~', 'pass'],
  [{}, '/a;b=c', '/a', '400 path-semicolon'],
  [{}, '/a%3Bb', '/a', '400 path-semicolon'],
  [{}, '/a\\b', '/a', '400 path-backslash'],
  [{}, '/a%5cb', '/a', '400 path-backslash'],
  [{}, '/\u00e9', '/\u00e9', '400 path-non-ascii'],
  [{}, '/%C3%A9', '/\u00e9', '400 path-non-ascii'],
  [{}, '/%7f', '/\x7f', '400 path-non-ascii'],
  [{}, '/a/../b', '/b', 'pass'],
  [{}, '/a%2f%2e', '/a', 'pass'],
  [allOff, '/a;b\\c%5c\u00e9', '/\u00e9', 'pass'],
  [{ ...allOff, blockNonAscii: true }, '/a;b', '/a', 'pass'],
  [allOn, '/a/..', '/', '400 path-traversal'],
  [allOn, '/a/.b/..c/...', '/a/.b/..c/...', 'pass'],
  [allOn, '/%2E', '/', '400 path-encoded-period'],
  [allOn, '/%2F', '/', '400 path-encoded-slash'],
  [{ ...allOff, ...allOn }, '/a/..;/b', '/b', '400 path-rewrite-traversal'],
  [{ ...allOff, blockRewriteTraversal: true }, '/a/..;/b', '/b', 'pass'],
  [{ blockPathTraversal: 'STRICT' }, '/%2e', '/', '400 path-encoded-period'],
  [{ pathTraversalBlockMode: 'NORMAL' }, '/./a', '/a', '400 path-traversal'],
  [{ pathTraversalBlockMode: 'NORMAL' }, '/%2e/a', '/a', 'pass'],
  [{ pathTraversalBlockMode: 'NO_BLOCK' }, '/./a', '/a', 'pass'],
  [{ enabled: false }, '/a;b', '/a', 'pass'],
];

describe('invalidRequest', () => {
  it.each(cases)('%j %j (%j): %s', async (given, rawPath, path, expected) => {
    expect(told(await (await filterOf(given)).check(requestOf({ rawPath, path })))).toBe(expected);
  });

  it('sees what the canonical path no longer shows', async () => {
    const filter = await filterOf();
    for (const rawPath of ['/open/x;a=1', '/open/x;', '/open/;', '/open/\u00c3\u00a9', '/open/%C3%A9']) {
      const { path } = canonicalTarget(rawPath);
      expect([rawPath, told(await filter.check(requestOf({ rawPath, path })))[0]]).toEqual([rawPath, '4']);
    }
  });

  it('is told of path traversal in one way at a time', async () => {
    const sentence = 'Expected either a mode of path traversal or blockTraversal, found both';
    await expect(filterOf({ blockTraversal: true, blockPathTraversal: 'NORMAL' })).rejects.toThrow(sentence);
  });
});
