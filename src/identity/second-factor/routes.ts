import { ServiceError } from '../../core/lib/errors.ts';
import type { Store } from '../../core/store/store.ts';
import { onlyActs, outlastsActing } from '../../http/acting.ts';
import { type Access, access, type Route, route } from '../../http/route.ts';
import { subjectOf } from '../../security/caller.ts';
import { administrator } from '../../security/subject.ts';
import { isOwn, roleOrOwn } from '../access-checks.ts';
import { strengthenSession } from '../tokens/store.ts';
import { userAt } from '../users/change.ts';
import type { UserRow } from '../users/store.ts';
import {
  newSecondFactorDocument,
  recoveryCodesDocument,
  type SecondFactor,
  secondFactorDocument,
  secondFactorListDocument,
  secondFactorOfferDocument,
  secondFactorRequestDocument,
} from './documents.ts';
import { Enrolment } from './enrolment.ts';
import { type FactorParts, factorKeysOf } from './parts.ts';
import { changeFactorName, maxFactors, noSuchFactor, removeFactor, removeFactors, replaceCodes } from './rules.ts';
import { countCodes, type FactorRow, factorsOf, findFactor } from './store.ts';

const factorOf = ({ id, kind, name, createdAt, usedAt }: FactorRow): SecondFactor => ({
  id,
  kind,
  name,
  created: createdAt,
  used: usedAt ?? undefined,
});

const refusal = (explanation: string): ServiceError =>
  new ServiceError('not-allowed', { context: 'session', explanation });

/**
 * A session of the user in the path. Where the user has a second factor, the session began with one: a stolen password
 * or key gets no factor of its own.
 */
const inPerson = (store: Store): Access =>
  access(
    { role: 'any caller', besides: 'a session of the user in the path, with its second factor if there is one' },
    async (call, params) => {
      const { user, proof, actor } = subjectOf(call);
      if (await onlyActs(call)) throw outlastsActing();
      if (!user || actor || !(await isOwn(store, call, params))) throw refusal('Expected the user that the path names');
      if (proof?.kind !== 'session') throw refusal('Expected a session of the web page');
      if (user.factors > 0 && !proof.isStrong) throw refusal('Expected a session that began with the second factor');
    },
  );

/** The same, or an administrator, who helps users that have lost theirs. */
const inPersonOrAdministrator = (store: Store): Access => {
  const person = inPerson(store);
  return access(
    { role: administrator, orSelf: { param: 'name' }, besides: person.needs.besides! },
    async (call, params) => {
      if (await subjectOf(call).has(administrator)) return;
      await person(call, params);
    },
  );
};

/** The second factors of a user. */
export function secondFactorRoutes(parts: FactorParts): readonly Route[] {
  const { store, random, fingerprint, settings } = parts;
  const path = '/user/:name/second-factor';
  const entities = { name: userAt(parts) };
  const enrolment = new Enrolment(parts, factorKeysOf(parts));
  const person = inPerson(store);
  const personOrAdministrator = inPersonOrAdministrator(store);

  return [
    route({
      method: 'GET',
      path,
      says: 'The second factors of a user: passkeys, and apps that make codes.',
      entities,
      answers: secondFactorListDocument,
      access: roleOrOwn(administrator, store),
      async handle(_call, { name: { id: userId } }) {
        const factors = await factorsOf(store, { userId, limit: maxFactors });
        const recoveryCodes = (await countCodes(store, { userId }))?.count ?? 0;
        return { policy: settings.secondFactor, recoveryCodes, factor: factors.map(factorOf) };
      },
    }),
    route({
      method: 'POST',
      path: `${path}/offer`,
      says: 'Begins a second factor: the secret for an app, or the challenge for a passkey. It changes nothing.',
      entities,
      reads: secondFactorRequestDocument,
      answers: secondFactorOfferDocument,
      noStore: true,
      access: person,
      acting: 'refused',
      isDangerous: true,
      handle: (call, { name: user }) => enrolment.offer(call, user, call.body.kind),
    }),
    route({
      method: 'POST',
      path,
      says: 'Adds the second factor that was offered. With the first one come recovery codes.',
      entities,
      reads: newSecondFactorDocument,
      answers: recoveryCodesDocument,
      noStore: true,
      access: person,
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name: user }) {
        const { isStrong, login: session = '' } = subjectOf(call).proof ?? {};
        const { work, id, code } = await enrolment.accept(call, user, call.body, !isStrong);
        // The person has shown the factor, and the login is recent.
        await call.commit({ ...work, changes: [...work.changes, strengthenSession({ id: session })] });
        return { id, code };
      },
    }),
    route({
      method: 'POST',
      path: `${path}/recovery`,
      says: 'Makes new recovery codes. The old ones are void.',
      entities,
      answers: recoveryCodesDocument,
      noStore: true,
      access: person,
      acting: 'refused',
      isDangerous: true,
      async handle(call, { name: user }) {
        if (subjectOf(call).user?.factors === 0) throw refusal('Expected a user with a second factor');
        const { code, work } = replaceCodes(user, random, fingerprint);
        await call.commit(work);
        return { code };
      },
    }),
    route({
      method: 'PUT',
      path: `${path}/:factor`,
      says: 'Renames a second factor.',
      entities,
      reads: secondFactorDocument,
      access: personOrAdministrator,
      acting: 'refused',
      async handle(call, { name: user, factor }) {
        const { id, name } = await factorAt(user, factor);
        await call.commit(changeFactorName(user, id, call.body.name ?? name));
      },
    }),
    route({
      method: 'DELETE',
      path: `${path}/:factor`,
      says: 'Removes a second factor. With the last one go the recovery codes.',
      entities,
      access: personOrAdministrator,
      acting: 'refused',
      isDangerous: true,
      handle: async (call, { name: user, factor }) =>
        call.commit(removeFactor(user, (await factorAt(user, factor)).id)),
    }),
    route({
      method: 'DELETE',
      path,
      says: 'Removes all second factors and recovery codes of a user who has lost them.',
      entities,
      access: personOrAdministrator,
      acting: 'refused',
      isDangerous: true,
      handle: (call, { name: user }) => call.commit(removeFactors(user)),
    }),
  ];

  /** 404 for a factor of another user. */
  async function factorAt(user: UserRow, id: string): Promise<FactorRow> {
    const row = await findFactor(store, { id });
    if (row?.userId !== user.id) throw noSuchFactor(id);
    return row as FactorRow;
  }
}
