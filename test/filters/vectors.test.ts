import { describe, expect, it } from 'vitest';
import { filterComponents } from '../../filters/index.ts';
import { actionOfMethod, implies, isPermitted, parsePermission } from '../../filters/permission.ts';
import { requestedMethod } from '../../src/http/cors.ts';
import type { Credentials, Verdict } from '../../src/spi/index.ts';
import { type Asked, ask, differing, headersOf, make, requestOf, type Vector, vectorsOf } from './support.ts';

const filterOf = (name: string, given: Readonly<Record<string, unknown>> = {}) =>
  make(filterComponents[`portico.${name}Filter`]!, given);
const passes = (verdict: Verdict): boolean => verdict.verdict !== 'refuse';
const textOf = (permission: string): string =>
  parsePermission(permission)
    .map((members) => [...members].join(','))
    .join(':');

const preflight = ({ method, headers = {} }: { method: string; headers?: Record<string, string> }): boolean =>
  requestedMethod(new Request('http://portico.test/x', { method, headers })) !== undefined;

/** Token that the filter hands to the realms, in the words of the vectors. */
async function tokenOf({ scheme, authorization }: Vector['input']): Promise<unknown> {
  const seen: Credentials[] = [];
  await ask(await filterOf(scheme), undefined, {
    headers: authorization === null ? {} : { authorization },
    login(credentials) {
      seen.push(credentials);
      return { accepted: false, reason: 'refused' };
    },
  });
  const [given] = seen;
  if (given?.kind === 'password') return { principal: given.user, password: given.password.reveal() };
  return given && { token: given.token.reveal() };
}

async function isAccessAllowed({ scheme, options, allowPreFlightRequests, ...asked }: Vector['input']) {
  const filter = await filterOf(scheme, allowPreFlightRequests === undefined ? {} : { allowPreFlightRequests });
  const { method, authorization, headers = {} } = asked;
  if (preflight({ method: method.toUpperCase(), headers })) return true;
  const sent: Asked = { method, headers: { ...headers, ...(authorization === null ? {} : { authorization }) } };
  return passes(await ask(filter, options ?? undefined, sent));
}

async function isBlocked({ options, requestURI, servletPath, pathInfo }: Vector['input']): Promise<string> {
  const filter = await filterOf('InvalidRequest', options);
  const decoded = pathInfo === null ? [servletPath] : [servletPath, pathInfo];
  const verdicts = await Promise.all(
    decoded.map((path: string) => filter.check(requestOf({ rawPath: requestURI, path }))),
  );
  return verdicts.every(passes) ? 'allowed' : 'blocked';
}

/** Defaults of what the filter blocks when the file says nothing, by the names of the vector. */
async function defaultsOf(names: readonly string[]): Promise<Record<string, unknown>> {
  const tells: Record<string, string> = {
    blockSemicolon: '/;',
    blockBackslash: '/\\',
    blockNonAscii: '/\x19',
    blockTraversal: '/../',
    blockEncodedPeriod: '/%2e',
    blockEncodedForwardSlash: '/%2f',
    pathTraversalBlockMode: '/../',
  };
  const filter = await filterOf('InvalidRequest');
  const blocks = async (path: string) => !passes(await filter.check(requestOf({ rawPath: path, path: '/' })));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await blocks(tells[name] ?? '/..;')])));
}

const spaced = (list: string | null): string[] => (list === null ? [] : list.split(' '));

const operations: Readonly<Record<string, (input: Vector['input']) => unknown>> = {
  parse: ({ permission }) => {
    try {
      return parsePermission(permission ?? '');
    } catch {
      return { error: 'IllegalArgumentException' };
    }
  },
  implies: ({ granted, asked }) => {
    const answer = implies(parsePermission(granted), parsePermission(asked));
    expect(isPermitted({ permissions: [granted] }, asked)).toBe(answer);
    return answer;
  },
  equals: ({ a, b }) => {
    expect(parsePermission(a)).toEqual(parsePermission(b));
    return true;
  },
  toString: ({ permission }: Vector['input']) => textOf(permission),
  'reparse-toString-equals': ({ permission }) => textOf(textOf(permission)) === textOf(permission),
  domainPermission: ({ actions, targets }) => {
    const parts = parsePermission(['domain', actions, targets].filter((part) => part !== null).join(':'));
    const [all, act, target] = [parts, parts[1], parts[2]].map((each) => each && [...each]);
    const listed = (all as Set<string>[]).map((members) => [...members]);
    return { parts: listed, actions: act ?? null, targets: target ?? null };
  },
  restPermissions: ({ config, method }) => config.map((word: string) => `${word}:${actionOfMethod(method)}`),
  createToken: tokenOf,
  isAccessAllowed,
  isPreFlight: preflight,
  'blockBackslash-default': async () => (await defaultsOf(['blockBackslash']))['blockBackslash'],
  ipMatches: async ({ range, address }) =>
    passes(await ask(await filterOf('Ip', { authorizedIps: [range] }), undefined, { address })),
  ipFilter: async ({ authorizedIps, deniedIps, remoteAddr }) => {
    const filter = await filterOf('Ip', { authorizedIps: spaced(authorizedIps), deniedIps: spaced(deniedIps) });
    return passes(await ask(filter, undefined, { address: remoteAddr }));
  },
  'portFilter-denied': async ({ port, scheme, host, requestURI }) => {
    const asked = { headers: { host: `${host}:1` }, port: 1, secure: scheme === 'https', path: requestURI };
    const verdict = await ask(await filterOf('Port', { port }), undefined, asked);
    return { redirect: headersOf(verdict)['location'], continue: passes(verdict) };
  },
  hsts: async (input) => {
    const verdict = await ask(await filterOf('Ssl', { hsts: without(input, 'op') }), undefined, { secure: true });
    const headers = (verdict as { headers?: Record<string, string> }).headers ?? {};
    return { 'Strict-Transport-Security': headers['strict-transport-security'] ?? null };
  },
  authorizationDenied: async ({ unauthorizedUrl }) => {
    const filter = await filterOf('Roles', unauthorizedUrl === null ? {} : { unauthorizedUrl });
    const verdict = await ask(filter, ['editor'], { caller: [] });
    const { location } = headersOf(verdict);
    if (location !== undefined) return { redirect: location };
    return { status: verdict.verdict === 'refuse' && verdict.response.status };
  },
  logout: async ({ method, postOnlyLogout }) => {
    const verdict = await ask(await filterOf('Logout', { postOnlyLogout }), undefined, { method });
    const { location, allow } = headersOf(verdict);
    if (location !== undefined) return { loggedOut: true, redirect: location };
    return { loggedOut: false, status: verdict.verdict === 'refuse' && verdict.response.status, Allow: allow };
  },
  anon: async () => passes(await ask(await filterOf('Anonymous'), undefined)),
  noSessionCreation: async () => ({
    continue: passes(await ask(await filterOf('NoSessionCreation'), undefined)),
    // There is nothing that could be made.
    requestAttribute: 'session creation enabled = false',
  }),
};

const without = (input: Vector['input'], name: string) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => key !== name));

async function answerOf({ input, expected }: Vector): Promise<unknown> {
  if (input.op === undefined) return isBlocked(input);
  if (input.op !== 'defaults') return operations[input.op]!(input);
  const { pathTraversalBlockMode, ...booleans } = expected as Record<string, unknown>;
  const found = await defaultsOf(Object.keys(expected as object));
  const mode = found['pathTraversalBlockMode'] ? 'NORMAL' : 'NO_BLOCK';
  return pathTraversalBlockMode === undefined
    ? found
    : { ...found, ...pick(found, booleans), pathTraversalBlockMode: mode };
}

const pick = (from: Record<string, unknown>, names: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, from[name]]));

const files = ['permission', 'invalid-request', 'network', 'authorization', 'answers'];

describe.each(files)("the original's own cases: %s", (file) => {
  const vectors = vectorsOf(file);

  it.each(vectors.filter(({ id }) => !differing.has(id)).map((vector) => [vector.id, vector] as const))(
    '%s',
    async (_id, vector) => {
      expect(await answerOf(vector)).toEqual(vector.expected);
    },
  );

  const ours = vectors.filter(({ id }) => differing.has(id));
  it.skipIf(ours.length === 0)('come out differently where the table says so', async () => {
    for (const vector of ours) {
      const answer = await answerOf(vector).catch((error: unknown) => error);
      expect(answer, `${vector.id} is as the original: take it out of filterDifferences`).not.toEqual(vector.expected);
    }
  });
});

it('the table of differences names cases that exist', () => {
  const known = new Set(files.flatMap((file) => vectorsOf(file).map(({ id }) => id)));
  expect([...differing].filter((id) => !known.has(id))).toEqual([]);
});
