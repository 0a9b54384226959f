import { describeError } from '../../core/lib/log.ts';
import { changedMeanwhile } from '../../core/lib/retry-when-changed.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { systemActor } from '../../core/store/contract.ts';
import { type PieceContext, type WorkKind, workKind } from '../../core/work/work-kind.ts';
import { findTokenEnd, vouchSession } from '../../identity/public.ts';
import { endOf, type LoginParts, neededVault, purposeOf, userOf, within } from './parts.ts';
import { countDue, dueIsStill, dueSessions, keep, type LoginSession, sessionsDue, setDue } from './store.ts';

/** Milliseconds until another instance may ask, and until a failed question is asked again. */
const leaseTime = 60_000;
const pause = 15_000;

const lost = changedMeanwhile('Session', 'login-check');

interface Check {
  readonly key: string;
  readonly session: LoginSession;
  readonly until: number;
}

/** Asks the providers again whether accounts still are: a disabled one is out within the time that its component says. */
export function loginCheckKind(parts: LoginParts): WorkKind {
  const { store, clock, log, security } = parts;

  async function take(session: LoginSession, until: number): Promise<boolean> {
    const { id, due } = session;
    try {
      await store.commit(changing(dueIsStill({ id, due: due! }, lost), setDue({ id, due: until })), systemActor);
      return true;
    } catch (error) {
      if (error === lost) return false;
      throw error;
    }
  }

  async function ask({ session, until }: Check, context: PieceContext): Promise<void> {
    const { id, provider, max, kept: sealedBefore } = session;
    const named = security.logins().find(({ name }) => name === provider);
    const token = await findTokenEnd(store, { id });
    // A session that is used no more, or that no provider vouches for, ends by itself.
    if (!named?.login.again || sealedBefore === null || !token || token.expiresAt <= clock.now()) {
      await store.commit(changing(setDue({ id, due: null })), systemActor);
      return;
    }
    const { login } = named;
    const vault = neededVault(parts);
    const secret = await vault.open(sealedBefore, purposeOf(provider));
    const outcome = await within(parts, provider, () => login.again!(secret));
    const mine = dueIsStill({ id, due: until }, lost);
    const refusal = await refusalFor();
    if (refusal !== undefined) {
      log.write('info', 'login-ended', { provider, ...refusal });
      await store.commit(endOf(parts, id), systemActor);
      return;
    }
    if (outcome.answer !== 'account') return;
    const { account, againAt } = outcome;
    const sealed = outcome.kept === undefined ? sealedBefore : await vault.seal(outcome.kept, purposeOf(provider));
    const ends = Math.min(max, account.ends ?? max);
    await store.commit(
      changing(mine, keep({ id, kept: sealed, due: againAt ?? null }), vouchSession({ id, ends })),
      systemActor,
    );
    context.done();

    async function refusalFor(): Promise<{ readonly reason: string } | undefined> {
      if (outcome.answer !== 'account') return { reason: outcome.reason };
      if (parts.fingerprint(outcome.person) !== session.person) return { reason: 'person-changed' };
      const entered = await userOf(parts, named!, { ...outcome, proof: secret, address: undefined });
      return 'reason' in entered ? entered : undefined;
    }
  }

  return workKind<Check>({
    name: 'login-checks',
    says: 'Asks providers again about the people whom they logged in.',
    priority: 20,
    concurrency: 4,
    longest: leaseTime,
    calls: 16,
    wokenBy: ['logins'],
    due: () => sessionsDue,
    async claim(max, now, isHeld) {
      const sessions = (await dueSessions(store, { now, limit: max * 2 })).filter(({ id }) => !isHeld(id));
      const checks: Check[] = [];
      for (const session of sessions.slice(0, max)) {
        const until = now + leaseTime;
        if (await take(session, until)) checks.push({ key: session.id, session, until });
      }
      return checks;
    },
    async do(check, context) {
      try {
        await ask(check, context);
      } catch (error) {
        if (error === lost) return;
        const { id, provider } = check.session;
        // The provider says neither yes nor no. Its last word counts until the session ends.
        context.failed(`${provider}: ${(error as Error).message}`);
        log.write('warn', 'login-not-checked', { provider, ...describeError(error) });
        await store.commit(changing(setDue({ id, due: clock.now() + pause })), systemActor);
      }
    },
    async measure() {
      const row = await countDue(store, { now: clock.now() });
      return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined };
    },
  });
}
