import { expect } from 'vitest';
import type { Settings } from '../../../src/composition/settings.ts';
import { Authenticator, codeOf } from '../../support/authenticator.ts';
import { alice, newUser } from '../../support/cast.ts';
import { openWorld, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin, type Credentials } from '../../support/service.ts';
import { type Browser, browserAt, cookieOf, ofPage, who as whoHas } from '../../support/ways.ts';

export const secondFactor = '/API/user/alice/second-factor';

export interface Told {
  readonly status: number;
  readonly cookie: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  readonly body: any;
  readonly error: string | null;
  readonly retryAfter: string | null;
}

export interface Opened {
  readonly world: World;
  readonly browser: Browser;
  ask(request: string, body?: unknown, how?: { readonly cookie?: string; readonly as?: Credentials }): Promise<Told>;
}

/** A service whose users have second factors, with Alice. */
export async function open(settings: Partial<Settings> = {}, options: object = {}): Promise<Opened> {
  const world = await openWorld('fetch', { settings: { secondFactor: 'optional', ...settings }, ...options });
  const opened = openedOf(world);
  await prepare(world, [newUser(alice)]);
  return opened;
}

export function openedOf(world: World): Opened {
  const browser = browserAt(world);
  return {
    world,
    browser,
    async ask(request, body, how = {}) {
      const headers = {
        ...ofPage,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const answer = await browser({
        request,
        ...how,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        cookie: cookieOf(answer),
        body: text.startsWith('{') ? JSON.parse(text) : text,
        error: answer.headers.get('portico-error'),
        retryAfter: answer.headers.get('retry-after'),
      };
    },
  };
}

/** The first step: a password. */
export const password = ({ ask }: Opened, as: Credentials = alice): Promise<Told> =>
  ask('POST /API/session', undefined, { as });

export async function sessionOf(opened: Opened, as: Credentials = alice): Promise<string> {
  const { status, cookie, body } = await password(opened, as);
  expect(status, JSON.stringify(body)).toBe(204);
  return cookie;
}

export interface App {
  readonly secret: string;
  readonly id: string;
  readonly recovery: readonly string[];
  readonly cookie: string;
}

/** Alice gets an app for codes in a session. */
export async function withApp(opened: Opened, cookie?: string): Promise<App> {
  const own = cookie ?? (await sessionOf(opened));
  const { ask, world } = opened;
  const { body: offer } = await ask(`POST ${secondFactor}/offer`, { kind: 'TOTP' }, { cookie: own });
  const code = await codeOf(offer.secret, world.clock.now());
  const { status, body } = await ask(
    `POST ${secondFactor}`,
    { sealed: offer.sealed, code, name: 'Phone' },
    { cookie: own },
  );
  expect(status, JSON.stringify(body)).toBe(200);
  await world.clock.advance(30_000);
  return { secret: offer.secret, id: body.id, recovery: body.code ?? [], cookie: own };
}

/** Alice gets a passkey in a session. */
export async function withPasskey(
  opened: Opened,
  authenticator = new Authenticator(),
  cookie?: string,
): Promise<string> {
  const own = cookie ?? (await sessionOf(opened));
  const { body: offer } = await opened.ask(`POST ${secondFactor}/offer`, { kind: 'PASSKEY' }, { cookie: own });
  const answer = { name: 'Key', passkey: authenticator.create({ challenge: offer.challenge }) };
  const { status, body } = await opened.ask(`POST ${secondFactor}`, answer, { cookie: own });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
}

/** The text of a login that waits. */
export async function stepOf(opened: Opened, as: Credentials = alice): Promise<string> {
  const { status, body, cookie } = await password(opened, as);
  expect([status, cookie], JSON.stringify(body)).toEqual([200, '']);
  return body.step;
}

export async function second(opened: Opened, answer: object, step?: string): Promise<Told> {
  return opened.ask('POST /APInoauth/session/factor', { step: step ?? (await stepOf(opened)), ...answer });
}

export const codeNow = ({ world }: Opened, { secret }: Pick<App, 'secret'>): Promise<string> =>
  codeOf(secret, world.clock.now());

export async function challengeFor({ ask }: Opened, step?: string): Promise<string> {
  const { status, body } = await ask('POST /APInoauth/session/challenge', { step });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.challenge;
}

export const who = ({ browser }: Opened, cookie: string): Promise<string> => whoHas(browser, cookie);

export { admin, alice };
