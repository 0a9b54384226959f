import { describeMatrix } from '../../../support/matrix.ts';
import { by, json, xml } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../../support/world.ts';

const future = '2999-01-01T00:00:00.000Z';
const lock = (as = owner) => by('POST /API/library/VX*1/deletion-lock', { expiryTime: future }, json, as);
const told = { deletionLockId: 'VX-1', entityType: 'library', entityId: 'VX*1' };
const given = [...givenTo('assets'), by('POST /API/library', {}, json, owner)];
const locked = [...given, lock()];

const rows: readonly Scenario[] = [
  {
    name: 'a library is locked as items are',
    given,
    ...lock(),
    status: 200,
    says: { jsonPart: { entityType: 'Library', entityId: 'VX*1', isEffective: true, isInherited: false } },
    events: [
      ['deletionLock/create', 'VX-1', told],
      ['deletionLock/effective', 'VX-1', told],
    ],
  },
  {
    name: 'a locked library is not deleted',
    given: locked,
    ...by('DELETE /API/library/VX*1', undefined, json, owner),
    status: 409,
    answers: { 'portico-error': 'entity-locked' },
  },
  {
    name: 'an unlocked library is deleted',
    given: [...locked, by('DELETE /API/library/VX*1/deletion-lock/VX-1', undefined, json, owner)],
    ...by('DELETE /API/library/VX*1', undefined, json, owner),
    status: 200,
  },
  ...(
    [
      ['of a JSON body', lock()],
      [
        'of a JSON body with a time of change',
        by(
          'POST /API/library/VX*1/deletion-lock',
          { expiryTime: future, modified: '2020-01-01T00:00:00Z' },
          json,
          owner,
        ),
      ],
      [
        'of an XML body',
        by(
          'POST /API/library/VX*1/deletion-lock',
          `<DeletionLockDocument xmlns="http://xml.vidispine.com/schema/vidispine"><expiryTime>${future}</expiryTime></DeletionLockDocument>`,
          { ...xml, 'content-type': 'application/xml' },
          owner,
        ),
      ],
    ] as const
  ).map(([body, made]) => ({
    name: `the owner of a library sees its lock, ${body}`,
    given: [...given, made],
    ...by('GET /API/library/VX*1/deletion-lock', undefined, json, owner),
    status: 200,
    says: { jsonPart: { lock: [{ id: 'VX-1', user: 'owner', entityType: 'Library', entityId: 'VX*1' }] } },
  })),
  { name: 'nobody locks a library of somebody else', given, ...lock(stranger), status: 403 },
];

describeMatrix('deletion locks of libraries', (entry) => {
  itHolds(entry, rows);
});
