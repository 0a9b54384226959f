import { cat, people } from '../../../extensions/review/support.ts';
import { describeMatrix } from '../../../support/matrix.ts';
import { by, json } from '../../../support/requests.ts';
import { itHolds, type Scenario } from '../../../support/scenario.ts';
import { mailOf, mailSettings } from './support.ts';

const defaults = ['mention', 'assignment', 'share', 'quota', 'login'];
const own = (body: object) => by('PUT /API/user/cat/mail', body, json, cat);

const rows: readonly Scenario[] = [
  {
    name: 'without an address tells what the user would hear of',
    ...by('GET /API/user/cat/mail', undefined, json, cat),
    status: 200,
    says: { json: { kind: defaults } },
  },
  {
    name: 'by an administrator is confirmed at once',
    ...mailOf('cat', { kind: ['review', 'mention', 'review'], digest: true, language: 'sv' }),
    status: 200,
    says: {
      json: {
        ...{ address: 'cat@example.com', confirmed: true, kind: ['review', 'mention'] },
        ...{ digest: true, language: 'sv' },
      },
    },
  },
  {
    name: 'by the user asks for a confirmation',
    ...own({ address: 'cat@example.com' }),
    status: 200,
    says: { json: { address: 'cat@example.com', confirmed: false, kind: defaults, digest: false } },
    events: [['mail/confirm', 'VX-1', { user: 'cat' }]],
  },
  {
    name: 'keeps its address where another choice names none',
    given: [mailOf('cat')],
    ...own({ kind: ['share'] }),
    status: 200,
    says: { jsonPart: { address: 'cat@example.com', confirmed: true, kind: ['share'] } },
  },
  {
    name: 'has an address before anything is chosen',
    ...own({ kind: ['share'] }),
    status: 400,
    answers: { 'portico-error': 'bad-value' },
    says: { contains: ['Expected an address of mail'] },
  },
  {
    name: 'knows its kinds',
    ...mailOf('cat', { kind: ['gossip'] }),
    status: 400,
    answers: { 'portico-error': 'bad-document' },
  },
  {
    name: 'is no more after its end',
    given: [mailOf('cat'), by('DELETE /API/user/cat/mail', undefined, json, cat)],
    ...by('GET /API/user/cat/mail', undefined, json, cat),
    status: 200,
    says: { json: { kind: defaults } },
  },
  {
    name: 'of nobody is not there',
    ...mailOf('nobody'),
    status: 404,
  },
  {
    name: 'tells of a collection that a user may see',
    given: [by('POST /API/collection?name=Harbour')],
    ...by('POST /API/collection/VX-1/access', { user: 'cat', permission: 'READ' }),
    status: 200,
    events: [['access/grant', 'VX-1', { type: 'collection', id: 'VX-1', permission: 'READ', user: 'cat' }]],
  },
];

describeMatrix('the mail of a user', (entry) => {
  itHolds(entry, rows, { given: people, settings: mailSettings(1) });
});
