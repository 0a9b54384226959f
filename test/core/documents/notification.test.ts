import { describe, expect, it } from 'vitest';
import {
  notificationDocument,
  placeholderNotificationDocument,
} from '../../../src/administration/notifications/documents/notification.ts';
import { contentFilterValues } from '../../../src/administration/notifications/documents/notification-trigger.ts';
import { readJson, readXml, writeJson } from '../../../src/core/documents/index.ts';
import { failure } from '../../support/thrown.ts';

const http = '<http synchronous="false"><url>http://hooks.example/</url></http>';
const xml = (trigger: string, action = http) =>
  `<NotificationDocument xmlns="urn:x"><action>${action}</action><trigger>${trigger}</trigger></NotificationDocument>`;
const triggerOf = (trigger: string) => readXml(notificationDocument, xml(trigger)).trigger;
const actionOf = (action: string) => readXml(notificationDocument, xml('<item><create/></item>', action)).action;

describe('triggers', () => {
  it.each([
    ['job', ['create', 'update', 'stop', 'finished', 'fail']],
    ['item', ['create', 'delete', 'modify']],
    ['shape', ['create', 'modify', 'delete']],
    ['access', ['create', 'delete', 'change']],
    ['collection', ['create', 'delete', 'modify']],
    ['storage', ['create', 'delete', 'filename']],
    ['file', ['new', 'change', 'close', 'delete', 'hash']],
    ['group', ['create', 'modify', 'delete']],
    ['quota', ['warning', 'created', 'delete']],
    ['document', ['create', 'modify', 'delete']],
    ['deletionLock', ['create', 'modify', 'delete', 'effective', 'expire']],
  ])('of %s know their events', (kind, events) => {
    for (const event of events)
      expect(triggerOf(`<${kind}><${event}/></${kind}>`)).toEqual({ [kind]: { [event]: true } });
    const all = events.map((event) => `<${event}></${event}>`).join('');
    expect(triggerOf(`<${kind}>${all}</${kind}>`)).toEqual({
      [kind]: Object.fromEntries(events.map((event) => [event, true])),
    });
    expect(failure(() => triggerOf(`<${kind}/>`)).place).toBe(`/NotificationDocument/trigger/${kind}`);
  });

  it('of metadata have parameters, alone and in a collection', () => {
    const modify =
      '<metadata><modify><field>title,genre</field><interval>generic</interval><language>en*</language><track>A1</track></modify></metadata>';
    const value = { metadata: { modify: { field: 'title,genre', interval: 'generic', language: 'en*', track: 'A1' } } };
    expect(triggerOf(modify)).toEqual(value);
    expect(triggerOf(`<collection>${modify}</collection>`)).toEqual({ collection: value });
    expect(triggerOf('<metadata><modify/></metadata>')).toEqual({ metadata: { modify: {} } });
    expect(failure(() => triggerOf('<metadata/>')).explanation).toBe('Expected the element "modify": missing element');
  });

  it('of a collection may name the items in it', () => {
    expect(triggerOf('<collection><item><create/></item></collection>')).toEqual({
      collection: { item: { create: true } },
    });
  });

  it('of a file may name a storage', () => {
    expect(triggerOf('<file><new/><storage>VX-1</storage></file>')).toEqual({ file: { new: true, storage: 'VX-1' } });
  });

  it('take the spellings of existing clients: "finish", "create" of a quota', () => {
    expect(triggerOf('<job><finish/></job>')).toEqual({ job: { finished: true } });
    expect(triggerOf('<quota><create/></quota>')).toEqual({ quota: { created: true } });
  });

  it('of a job have filters with hyphenated names', () => {
    const filter =
      '<filter><type>A</type><step>200</step><type>B</type><jobdata><key-regex>o.*</key-regex><value>desk</value></jobdata></filter>';
    expect(triggerOf(`<job><placeholder>false</placeholder><stop/>${filter}</job>`)).toEqual({
      job: {
        stop: true,
        placeholder: false,
        filter: { type: ['A', 'B'], step: 200, jobdata: { 'key-regex': 'o.*', value: 'desk' } },
      },
    });
  });

  it('refuse a key beside its pattern, and neither of them', () => {
    const jobdata = (inside: string) => triggerOf(`<job><stop/><filter><jobdata>${inside}</jobdata></filter></job>`);
    const error = failure(() => jobdata('<key>a</key><key-regex>b</key-regex>'));
    expect(error.explanation).toBe('Expected exactly one of "key", "key-regex": found "key" and "key-regex"');
    expect(error.place).toBe('/NotificationDocument/trigger/job/filter/jobdata');
    expect(failure(() => jobdata('<value>a</value>')).explanation).toContain(
      'exactly one of "key", "key-regex": found none',
    );
    expect(failure(() => jobdata('<key>k</key><value>a</value><value-regex>b</value-regex>')).explanation).toContain(
      'at most one of',
    );
  });

  it('know ten content filters and no others', () => {
    const filters = (inside: string) => triggerOf(`<job><stop/><contentFilters>${inside}</contentFilters></job>`);
    const all = contentFilterValues.map((value) => `<contentFilter>${value}</contentFilter>`).join('');
    expect(filters(all).job?.contentFilters?.contentFilter).toEqual([...contentFilterValues]);
    const error = failure(() => filters('<contentFilter>jobId</contentFilter><contentFilter>itemid2</contentFilter>'));
    expect(error.place).toBe('/NotificationDocument/trigger/job/contentFilters/contentFilter[2]');
    expect(error.explanation).toContain('nearest is "itemId"');
  });
});

describe('exactly one', () => {
  it('trigger: none, two, misspelt', () => {
    expect(failure(() => triggerOf('')).explanation).toContain('Expected exactly one of "job", "item"');
    expect(failure(() => triggerOf('<job><stop/></job><item><create/></item>')).explanation).toContain(
      'found "job" and "item"',
    );
    const error = failure(() => triggerOf('<jobs><stop/></jobs>'));
    expect(error.explanation).toContain('found "jobs", nearest is "job"');
    expect(error).toMatchObject({ place: '/NotificationDocument/trigger', found: 'jobs' });
    expect(failure(() => triggerOf('<deletionlok/>')).explanation).toContain('nearest is "deletionLock"');
  });

  it('event of a trigger at least: a misspelt one is named', () => {
    expect(failure(() => triggerOf('<job><stopp/></job>')).explanation).toContain('found "stopp", nearest is "stop"');
  });

  it('action: none, two, misspelt', () => {
    expect(failure(() => actionOf('')).explanation).toContain('found none');
    expect(failure(() => actionOf(`${http}${http}`)).explanation).toContain('"http" once: doubled element');
    expect(failure(() => actionOf(`${http}<javascript><script>1</script></javascript>`)).explanation).toContain(
      'found "http" and "javascript"',
    );
    expect(failure(() => actionOf('<htp><url>u</url></htp>')).explanation).toContain('found "htp", nearest is "http"');
  });

  it('JSON says the same', () => {
    const error = failure(() => readJson(notificationDocument, '{"action":{"htp":{"url":"u"}},"trigger":{}}'));
    expect(error.explanation).toContain('found "htp", nearest is "http"');
    expect(error.place).toBe('/NotificationDocument/action');
  });
});

describe('actions', () => {
  it.each([
    [
      '<http group="g" synchronous="true"><url>u</url><method>PUT</method><timeout>none</timeout><retry>2</retry><extradata>x</extradata></http>',
      { http: { group: 'g', synchronous: true, url: 'u', method: 'PUT', timeout: 'none', retry: 2, extradata: 'x' } },
    ],
    ['<http extradata="x"><url>u</url></http>', { http: { url: 'u', extradata: 'x' } }],
    [
      '<ejb><bean>b</bean><method>m</method><data><key>k</key><value>v</value></data><data><key>l</key></data></ejb>',
      { ejb: { bean: 'b', method: 'm', data: [{ key: 'k', value: 'v' }, { key: 'l' }] } },
    ],
    [
      '<jms><queue>q</queue><queueFactory>f</queueFactory><username>u</username><password>p</password></jms>',
      { jms: { queue: 'q', queueFactory: 'f', username: 'u', password: 'p' } },
    ],
    [
      '<sqs><queue>q</queue><endpoint>e</endpoint><messageGroupId>m</messageGroupId><roleArn>r</roleArn></sqs>',
      { sqs: { queue: 'q', endpoint: 'e', messageGroupId: 'm', roleArn: 'r' } },
    ],
    [
      '<sns><topic>t</topic><endpoint>e</endpoint><accessKey>a</accessKey><secret>s</secret></sns>',
      { sns: { topic: 't', endpoint: 'e', accessKey: 'a', secret: 's' } },
    ],
    ['<javascript><script>1 &lt; 2</script></javascript>', { javascript: { script: '1 < 2' } }],
  ])('%s', (action, value) => {
    expect(actionOf(action)).toEqual(value);
  });

  it('take the strings of the admin interface for numbers and booleans, and its capital "Queue"', () => {
    const body =
      '{"action":{"jms":{"Queue":"q","queueFactory":"f","retry":"3","synchronous":"false"}},"trigger":{"job":{"stop":""}}}';
    expect(readJson(notificationDocument, body).action).toEqual({
      jms: { queue: 'q', queueFactory: 'f', retry: 3, synchronous: false },
    });
  });

  it('refuse another method, a missing url', () => {
    expect(failure(() => actionOf('<http><url>u</url><method>GET</method></http>')).explanation).toBe(
      'Expected one of "POST", "PUT": found "GET"',
    );
    expect(failure(() => actionOf('<http/>')).place).toBe('/NotificationDocument/action/http/url');
  });
});

describe('a placeholder', () => {
  it('may do without a trigger, an ordinary notification may not', () => {
    const body = `<NotificationDocument><action>${http}</action></NotificationDocument>`;
    expect(readXml(placeholderNotificationDocument, body).trigger).toBeUndefined();
    expect(failure(() => readXml(notificationDocument, body)).explanation).toBe(
      'Expected the element "trigger": missing element',
    );
  });
});

it('the JSON example of the reference is printed back, its single values as arrays', () => {
  const body = `{"action":{"http":{"synchronous":false,"group":"mam-events","retry":3,"contentType":"application/json","url":"https://hooks.example.net/jobs","method":"POST","timeout":"10"}},
    "trigger":{"job":{"stop":"","filter":{"type":"TRANSCODE","jobdata":{"key":"origin","value-regex":"desk-.*"}},"contentFilters":{"contentFilter":["jobId","jobState","itemId"]},"placeholder":false}}}`;
  const expected = JSON.parse(body);
  expected.trigger.job.filter.type = ['TRANSCODE'];
  expect(JSON.parse(writeJson(notificationDocument, readJson(notificationDocument, body)))).toEqual(expected);
});
