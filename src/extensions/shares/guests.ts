import { badValue } from '../../core/documents/error.ts';
import { blockOf, networkOf } from '../../core/lib/address.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { textOfBytes } from '../../core/lib/random.ts';
import { Secret } from '../../core/lib/secret.ts';
import { serialOf } from '../../core/lib/serial.ts';
import type { Call } from '../../http/call.ts';
import { cookieValue } from '../../http/cookies.ts';
import { cookieOf, cookieText, placeOf } from '../../identity/public.ts';
import { endOf, type Policy, stateOf } from './documents.ts';
import { shareEvent } from './events.ts';
import { type Maker, makerOf } from './maker.ts';
import { policyOf } from './policy.ts';
import type { ShareContext } from './routes.ts';
import { eventOf, maxNameLength, shareNotFound } from './rules.ts';
import {
  countUse,
  fewUsesFromAddress,
  fewUsesFromNetwork,
  findByDigest,
  findShare,
  findUse,
  forgetUseBeyond,
  hasUses,
  insertUse,
  nameUse,
  type ShareRow,
  type UseRow,
} from './store.ts';

/** Milliseconds that a guest stays in. */
const maxStay = 24 * 60 * 60_000;
/** Uses that are kept of a share. */
const maxUses = 1_000;
/**
 * Guests of one address and of one network who come in at once, and milliseconds between those who follow. No network comes to
 * the number of uses that are kept within a stay, so none pushes the guest of a stay out.
 */
const [maxOfAddress, maxOfNetwork, pauseBetween] = [100, 200, 120_000];
const sessionBytes = 32;

/** Headers of all answers to guests. */
const guestHeaders = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

/** A person who came in by a share. */
export interface Guest {
  readonly share: ShareRow;
  readonly use: UseRow;
  readonly maker: Maker;
  /** Terms of administrators when the guest asked. */
  readonly policy: Policy;
}

const nameOfCookie = (call: Call, id: string): string => `${cookieOf(call, new Headers())}-share-${serialOf(id)}`;

/** Refuses pages of other origins, whose requests have the cookie where browsers are old. */
export const checkOrigin = (call: Call): unknown => cookieOf(call, call.request.headers);

function begin(call: Call): void {
  call.trace.headers = { ...call.trace.headers, ...guestHeaders };
}

/** Names the guest in the log and among events. No user has a name with a colon. */
function name(call: Call, { id }: ShareRow): void {
  call.trace.user = `share:${id}`;
}

/** The guest of a request, with all that was asked at the entrance and can have ended since. */
export async function guestOf(parts: ShareContext, call: Call, id: string): Promise<Guest> {
  begin(call);
  const share = await findShare(parts.store, { id });
  const guest = share && (await stayingGuest(parts, call, share));
  if (!guest) throw shareNotFound();
  name(call, guest.share);
  return guest;
}

async function stayingGuest(parts: ShareContext, call: Call, share: ShareRow): Promise<Guest | undefined> {
  const { store, clock, fingerprint } = parts;
  const text = cookieValue(call.request.headers.get('cookie'), nameOfCookie(call, share.id));
  if (text === undefined) return undefined;
  const [use, policy, maker] = await Promise.all([
    findUse(store, { digest: fingerprint(text) }),
    policyOf(store),
    makerOf(parts, call, share),
  ]);
  const now = clock.now();
  const state = stateOf(share, now, policy);
  // A used-up share keeps the guests who came in.
  if (use?.shareId !== share.id || use.until <= now || !(state === 'OPEN' || state === 'USED')) return undefined;
  return maker && { share, use, maker, policy };
}

interface Entrance {
  readonly token: string;
  readonly password?: string | undefined;
  readonly name?: string | undefined;
}

type Need = 'password' | 'name';

/** A guest, or who still stands at the entrance. */
export type Visitor = Omit<Guest, 'use'> & { readonly use?: UseRow | undefined };

type Entered = Visitor & ({ readonly needs: readonly Need[] } | { readonly cookie?: string });

function nameFrom({ name = '' }: Entrance): string | null {
  const own = name.trim();
  if (own.length > maxNameLength || /[\0-\x1f\x7f]/.test(own))
    throw badValue(
      '/ShareEntranceDocument/name',
      `at most ${maxNameLength} characters, and no control characters`,
      own,
    );
  return own || null;
}

/** Lets a guest in. A share that is not there, not open, used up, or without its maker is the same to a guest. */
export async function enter(parts: ShareContext, call: Call, entrance: Entrance): Promise<Entered> {
  begin(call);
  const { store, clock, random, fingerprint } = parts;
  const share = await findByDigest(store, { digest: fingerprint(entrance.token) });
  if (!share) throw shareNotFound();
  checkOrigin(call);
  const staying = await stayingGuest(parts, call, share);
  if (staying) {
    name(call, share);
    const { id, name: before } = staying.use;
    const use = { ...staying.use, name: before ?? nameFrom(entrance) };
    if (before !== use.name) await call.commit({ changes: [nameUse({ id, name: use.name })], events: [] });
    return { ...staying, use };
  }
  const now = clock.now();
  const [policy, maker] = await Promise.all([policyOf(store), makerOf(parts, call, share)]);
  if (!maker || stateOf(share, now, policy) !== 'OPEN') throw shareNotFound();
  name(call, share);
  const guest = nameFrom(entrance);
  const needs = [
    ...(share.password !== null && entrance.password === undefined ? (['password'] as const) : []),
    ...(share.asksName === 1 && guest === null ? (['name'] as const) : []),
  ];
  if (needs.length > 0) return { needs, share, maker, policy };
  if (share.password !== null) await checkPassword(parts, call, share, share.password, entrance.password!);
  const text = textOfBytes(random.bytes(sessionBytes));
  const { device = null, address = null } = placeOf(call);
  const network = blockOf(networkOf(call.address));
  const slow = { id: share.id, now, pause: pauseBetween };
  const until = Math.min(now + maxStay, endOf(share, policy));
  await call.commit({
    changes: [
      hasUses({ id: share.id }, shareNotFound()),
      fewUsesFromAddress({ ...slow, from: address ?? '', atOnce: maxOfAddress }, tooManyGuests),
      fewUsesFromNetwork({ ...slow, from: network, atOnce: maxOfNetwork }, tooManyGuests),
      countUse({ id: share.id }),
      insertUse({
        shareId: share.id,
        digest: fingerprint(text),
        at: now,
        until,
        name: guest,
        device,
        address,
        network,
      }),
      forgetUseBeyond({ id: share.id, max: maxUses }),
    ],
    events: [shareEvent('share/use', share.id, { ...eventOf(share), ...(guest !== null && { guest }) })],
  });
  const cookie = cookieText(nameOfCookie(call, share.id), text, undefined);
  return { share, maker, policy, use: await findUse(store, { digest: fingerprint(text) }), cookie };
}

const tooManyGuests = new ServiceError(
  'too-many-entrances',
  { explanation: 'Expected few guests from one network: try again later' },
  { 'retry-after': String(pauseBetween / 1000) },
);

/** Guesses are slowed down as those of logins: by share, and by network. */
async function checkPassword(
  { services }: ShareContext,
  call: Call,
  { id }: ShareRow,
  stored: string,
  sent: string,
): Promise<void> {
  const password = new Secret(sent);
  const user = `share:${id}`;
  const users = services.directory.open({ address: call.address });
  const answer = await users.attempt({ kind: 'password', user, password }, 0, async () =>
    (await services.passwords.matches(stored, password))
      ? { accepted: true, account: { name: user } }
      : { accepted: false, reason: 'wrong-password' },
  );
  if (answer.accepted) return;
  throw new ServiceError('credentials-wrong', {
    context: '/ShareEntranceDocument/password',
    explanation: 'Expected the password of the share',
  });
}
