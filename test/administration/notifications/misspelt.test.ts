import { describe, expect, it } from 'vitest';
import { readStored } from '../../../src/administration/notifications/documents/notification.ts';
import { describeMatrix, type Sent } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { newNotification, notificationDocument, onCreate } from './support.ts';

const root = '/NotificationDocument/trigger';
const json = { accept: 'application/json', 'content-type': 'application/json' };
const xml = { ...json, 'content-type': 'application/xml' };
const at = (resource: string): string => `/API${resource}/notification`;

const post = (resource: string, body: string | object, headers = json): Sent => ({
  as: admin,
  request: `POST ${at(resource)}`,
  headers,
  body,
});
const inXml = (trigger: string, http = '<url>http://hooks.example/in</url>', attributes = ''): string =>
  `<NotificationDocument xmlns="urn:any"><action><http${attributes}>${http}</http></action><trigger>${trigger}</trigger></NotificationDocument>`;

const refused = (name: string, sent: Sent, place: string, explanation: string): Scenario => ({
  name,
  ...sent,
  status: 400,
  says: { contains: [`"${place}`, explanation.replaceAll('"', '\\"')] },
});

const inTrigger: readonly Scenario[] = (
  [
    [
      '/job',
      '<job><stop/><filter><typ>TRANSCODE</typ></filter></job>',
      'job/filter',
      'Expected nothing but "type", "step", "jobdata": found "typ", nearest is "type"',
    ],
    [
      '/job',
      '<job><stop/><filter typ="TRANSCODE"/></job>',
      'job/filter',
      'Expected nothing but "type", "step", "jobdata": found "typ", nearest is "type"',
    ],
    ['/job', '<job><stop/><filter>TRANSCODE</filter></job>', 'job/filter', 'Expected elements: found a text'],
    [
      '/job',
      '<job><stop/><filter><type><name>TRANSCODE</name></type></filter></job>',
      'job/filter/type[1]',
      'Expected no elements and no attributes in it: found "name"',
    ],
    ['/job', '<job><stop/><stopp/></job>', 'job', ': found "stopp", nearest is "stop"'],
    ['/job', '<job><stop/><filtre><type>A</type></filtre></job>', 'job', ': found "filtre", nearest is "filter"'],
    [
      '/job',
      '<job><stop/><filter><jobdata><key>a</key><valu>b</valu></jobdata></filter></job>',
      'job/filter/jobdata',
      ': found "valu", nearest is "value"',
    ],
    [
      '/job',
      '<job><stop/><contentFilters><filter>jobId</filter></contentFilters></job>',
      'job/contentFilters',
      'Expected nothing but "contentFilter": found "filter"',
    ],
    [
      '/item',
      '<metadata><modify><fields>title</fields></modify></metadata>',
      'metadata/modify',
      'Expected nothing but "field", "interval", "language", "track": found "fields", nearest is "field"',
    ],
    [
      '/collection',
      '<collection><metadata><modify><fild>a</fild></modify></metadata></collection>',
      'collection/metadata/modify',
      ': found "fild", nearest is "field"',
    ],
    ['/storage/file', '<file><new/><storag>VX-1</storag></file>', 'file', ': found "storag", nearest is "storage"'],
    [
      '/group',
      '<group><modify><fields>a</fields></modify></group>',
      'group/modify',
      'Expected no elements and no attributes in it: found "fields"',
    ],
    [
      '/group',
      '<group><modify group="crew"/></group>',
      'group/modify',
      'Expected no elements and no attributes in it: found "group"',
    ],
    ['/group', '<group><create/></group><groups><delete/></groups>', '', ': found "groups", nearest is "group"'],
    [
      '',
      '<notification><paused/><disable/></notification>',
      'notification',
      ': found "disable", nearest is "disabled"',
    ],
  ] as const
).map(([resource, trigger, place, explanation]) =>
  refused(
    `a misspelt trigger in XML: ${trigger}`,
    post(resource, inXml(trigger), xml),
    place === '' ? root : `${root}/${place}`,
    explanation,
  ),
);

const inJson: readonly Scenario[] = (
  [
    [
      '/job',
      { job: { stop: '', filter: { types: 'TRANSCODE' } } },
      'job/filter',
      'Expected nothing but "type", "step", "jobdata": found "types", nearest is "type"',
    ],
    ['/job', { job: { stop: '', stopp: '' } }, 'job', ': found "stopp", nearest is "stop"'],
    [
      '/group',
      { group: { modify: { fields: 'a' } } },
      'group/modify',
      'Expected no elements and no attributes in it: found "fields"',
    ],
    ['/item', { metadata: { modify: { fields: 'a' } } }, 'metadata/modify', ': found "fields", nearest is "field"'],
    ['/group', { ...onCreate, jobs: { stop: '' } }, '', ': found "jobs", nearest is "job"'],
  ] as const
).map(([resource, trigger, place, explanation]) =>
  refused(
    `a misspelt trigger in JSON: ${JSON.stringify(trigger)}`,
    post(resource, notificationDocument(trigger)),
    place === '' ? root : `${root}/${place}`,
    explanation,
  ),
);

const changed: readonly Scenario[] = [
  {
    ...refused(
      'a misspelt trigger of a change',
      {
        as: admin,
        request: `PUT ${at('/group')}/VX-1`,
        headers: json,
        body: notificationDocument({ group: { create: '', creat: '' } }),
      },
      `${root}/group`,
      ': found "creat", nearest is "create"',
    ),
    given: [newNotification(onCreate)],
  },
];

const taken: readonly Scenario[] = [
  {
    name: 'unknown names outside of the trigger are passed over, in XML',
    ...post(
      '/group',
      inXml('<group><create/></group>', '<url>http://hooks.example/in</url><colour>red</colour>', ' x="1"'),
      xml,
    ),
    status: 200,
  },
  {
    name: 'unknown names beside action and trigger are passed over, in JSON',
    ...post('/group', { ...notificationDocument(onCreate, { colour: 'red' }), name: 'mine' }),
    status: 200,
  },
  {
    name: 'names without a value, and attributes of other namespaces, are passed over',
    ...post('/group', { ...notificationDocument({ ...onCreate, job: null, more: null }) }),
    status: 200,
  },
  {
    name: 'attributes of other namespaces, declarations, comments and blanks are none of the trigger',
    ...post(
      '/job',
      inXml(
        '\n <job xmlns="urn:any" xmlns:x="urn:x" x:id="1">\n <finish xmlns="urn:any" x:nil="true"/> <!-- all --> <filter xml:lang="en">\n<type x:a="b">A</type> </filter></job>',
      ),
      xml,
    ),
    status: 200,
  },
];

const twice: readonly Scenario[] = [
  refused(
    'an event that is there twice in JSON',
    post(
      '/group',
      '{"action":{"http":{"url":"http://a.example"}},"trigger":{"group":{"create":""},"group":{"delete":""}}}',
    ),
    `${root}/group`,
    'Expected the element "group" once: doubled element',
  ),
  refused(
    'two actions in JSON',
    post(
      '/group',
      '{"action":{"http":{"url":"http://a.example"}},"trigger":{"group":{"create":""}},"action":{"http":{"url":"http://b.example"}}}',
    ),
    '/NotificationDocument/action',
    'Expected the element "action" once: doubled element',
  ),
];

const blanks = { method: '', retry: '', synchronous: ' ', timeout: '', contentType: '', group: '' };
const blankXml = inXml(
  '<job><stop/><placeholder/><filter><step> </step><type>A</type></filter></job>',
  '<url>http://hooks.example/in</url><method></method><retry/><timeout/><contentType/>',
  ' synchronous="" group=""',
);

const blank: readonly Scenario[] = [
  {
    name: 'blanks of a form count as absent, in JSON',
    ...post('/job', notificationDocument({ job: { stop: '', placeholder: '', filter: { step: '' } } }, blanks)),
    status: 200,
  },
  { name: 'blanks of a form count as absent, in XML', ...post('/job', blankXml, xml), status: 200 },
  ...(
    [
      ['JSON', notificationDocument({ job: { stop: '', placeholder: '', filter: { step: ' ' } } }, blanks), json],
      ['XML', blankXml, xml],
    ] as const
  ).map(
    ([form, body, headers]): Scenario => ({
      name: `are not there when it is read: ${form}`,
      given: [post('/job', body, headers)],
      as: admin,
      request: `GET ${at('/job')}/VX-1`,
      headers: { accept: 'application/json' },
      status: 200,
      says: { contains: ['"synchronous":false'], lacks: ['method', 'retry', 'step', 'placeholder'] },
    }),
  ),
  refused(
    'a name behind blanks is still checked',
    post('/group', notificationDocument(onCreate, { retry: 'x' })),
    '/NotificationDocument/action/http/retry',
    'Expected an integer: found "x"',
  ),
];

describeMatrix('what is misspelt in a trigger is refused, as it would fire for more than was meant', (entry) => {
  itHolds(entry, [...inTrigger, ...inJson, ...changed]);
  itHolds(entry, taken);
});
describeMatrix('what is there twice is refused', (entry) => itHolds(entry, twice));
describeMatrix('what forms send', (entry) => itHolds(entry, blank));

describe('a notification that is stored', () => {
  it('is read also where another version has put something unknown into its trigger', () => {
    const document = '{"action":{"http":{"url":"http://a.example/"}},"trigger":{"job":{"stop":"","later":{"a":"b"}}}}';
    expect(readStored(document).trigger).toEqual({ job: { stop: true } });
  });
});
