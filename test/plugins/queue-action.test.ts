import { describe, expect, it } from 'vitest';
import { queueAction } from '../../plugins/queue-action.ts';
import { signedHeaders } from '../../plugins/request-signature.ts';
import { type Backend, secretText, testHost } from '../../src/kit/testing/index.ts';
import type { ActionElement } from '../../src/spi/index.ts';

const signer = {
  accessKey: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};

it('signs as the example of the specification does', async () => {
  const headers = await signedHeaders(
    { ...signer, service: 'iam' },
    {
      method: 'GET',
      url: new URL('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08'),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: '',
      at: Date.UTC(2015, 7, 30, 12, 36),
    },
  );
  expect(headers['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  );
});

const sqs: ActionElement = {
  kind: 'sqs',
  texts: {
    endpoint: 'https://sqs.eu-west-1.amazonaws.com',
    queue: '123/jobs.fifo',
    accessKey: 'AK',
    messageGroupId: 'g',
  },
  data: [],
  secret: secretText('hidden'),
};
const sns: ActionElement = {
  kind: 'sns',
  texts: { topic: 'arn:aws:sns:eu-west-1:123:told', accessKey: 'AK' },
  data: [],
  secret: secretText('hidden'),
};

async function sending(
  element: ActionElement,
  backend: Backend = () => new Response('<ok/>'),
  properties: object = {},
) {
  const host = testHost({ backend, start: Date.UTC(2030, 0, 1) });
  const action = await queueAction.create({ timeout: 5_000, ...properties }, host);
  const call = {
    event: 'group/create',
    fields: [],
    body: '{"a": "b&c"}',
    contentType: 'application/json',
    notification: 'VX-7',
    id: 'VX-7_42',
    attempt: 1,
    test: false,
  };
  const answer = await action.perform({ ...element, ...call, signal: new AbortController().signal });
  const request = host.requests[0];
  return { answer, request, body: request && new URLSearchParams(await request.text()), action };
}

describe('messages to queues and topics', () => {
  it('go into a queue, which knows by the id what it has had before', async () => {
    const { answer, request, body } = await sending(sqs);
    expect(answer).toEqual({ answer: 'delivered' });
    expect(request!.url).toBe('https://sqs.eu-west-1.amazonaws.com/');
    expect(Object.fromEntries(body!)).toEqual({
      Action: 'SendMessage',
      Version: '2012-11-05',
      QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/123/jobs.fifo',
      MessageBody: '{"a": "b&c"}',
      MessageGroupId: 'g',
      MessageDeduplicationId: 'VX-7_42',
    });
    expect(request!.headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AK\/20300101\/eu-west-1\/sqs\//,
    );
  });

  it('go to a topic, at the address of its region', async () => {
    const { answer, request, body } = await sending(sns);
    expect(answer).toEqual({ answer: 'delivered' });
    expect(request!.url).toBe('https://sns.eu-west-1.amazonaws.com/');
    expect(Object.fromEntries(body!)).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: sns.texts['topic'],
      Message: '{"a": "b&c"}',
    });
  });

  it('use the key of security.ini where a notification has none', async () => {
    const { accessKey: _, ...texts } = sns.texts;
    const own = { accessKey: 'OWN', secret: secretText('own secret'), region: 'eu-north-1' };
    const { request } = await sending(
      { kind: 'sns', texts: { ...texts, topic: 'told', endpoint: 'https://queues.example' }, data: [] },
      undefined,
      own,
    );
    expect(request!.headers.get('authorization')).toMatch(/Credential=OWN\/20300101\/eu-north-1\/sns\//);
  });

  it.each<[number, string, string]>([
    [500, '', 'again'],
    [503, '', 'again'],
    [429, '', 'again'],
    [400, '<Code>ThrottlingException</Code>', 'again'],
    [403, '<Code>SignatureDoesNotMatch</Code>', 'refused'],
    [404, '', 'refused'],
  ])('that are answered by %i %s mean %s', async (status, text, answer) => {
    expect((await sending(sqs, () => new Response(text, { status }))).answer).toMatchObject({ answer });
  });

  it.each<[string, ActionElement]>([
    ['roleArn', { ...sqs, texts: { ...sqs.texts, roleArn: 'role/x' } }],
    ['endpoint', { ...sqs, texts: { ...sqs.texts, endpoint: 'sqs' } }],
    ['topic', { ...sns, texts: { accessKey: 'AK' } }],
    ['accessKey', { ...sns, texts: { topic: 'x' } }],
    ['secret', { kind: 'sns', texts: sns.texts, data: [] }],
  ])('need what they say: %s', async (word, element) => {
    const { answer, request, action } = await sending(element);
    expect(answer).toMatchObject({ answer: 'refused', reason: expect.stringContaining(word) });
    expect(action.defect!(element)).toContain(word);
    expect(request).toBeUndefined();
  });
});

const roleArn = 'arn:aws:iam::123456789012:role/media/events';
const element = {
  kind: 'sqs',
  texts: { endpoint: 'https://sqs.eu-west-1.amazonaws.com', queue: '123/jobs', accessKey: 'AK', roleArn },
  data: [],
  secret: secretText('hidden'),
} as const;
const answered = `<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>
  <SecretAccessKey>role/secret+key=</SecretAccessKey><SessionToken>token==</SessionToken></Credentials>
  </AssumeRoleResult></AssumeRoleResponse>`;

function opened(sts: () => Response, properties: object = {}) {
  let now = Date.UTC(2030, 0, 1);
  const backend: Backend = (request) => (new URL(request.url).host.startsWith('sts.') ? sts() : new Response('<ok/>'));
  const host = testHost({ backend });
  const action = queueAction.create({ timeout: 5_000, ...properties }, { ...host, now: () => now }) as ReturnType<
    typeof queueAction.create
  >;
  const send = async (texts: object = {}) =>
    (await action).perform({
      ...{ ...element, texts: { ...element.texts, ...texts } },
      ...{ event: 'group/create', fields: [], body: '{}', contentType: 'application/json', notification: 'VX-7' },
      ...{ id: 'VX-7_42', attempt: 1, test: false, signal: new AbortController().signal },
    });
  return { host, send, later: (milliseconds: number) => (now += milliseconds) };
}

it('messages are signed with the keys of the role, which the key of the notification takes on', async () => {
  const { host, send } = opened(() => new Response(answered));
  expect(await send({ roleSessionName: 'events', roleExternalId: 'house 7' })).toEqual({ answer: 'delivered' });
  const [sts, message] = host.requests;
  expect(sts!.url).toBe('https://sts.eu-west-1.amazonaws.com/');
  expect(sts!.headers.get('authorization')).toMatch(/Credential=AK\/20300101\/eu-west-1\/sts\//);
  expect(Object.fromEntries(new URLSearchParams(await sts!.text()))).toEqual({
    ...{ Action: 'AssumeRole', Version: '2011-06-15', RoleArn: roleArn, DurationSeconds: '3600' },
    ...{ RoleSessionName: 'events', ExternalId: 'house 7' },
  });
  expect(message!.headers.get('authorization')).toMatch(/Credential=ASIAROLE\/20300101\/eu-west-1\/sqs\//);
  expect(message!.headers.get('x-amz-security-token')).toBe('token==');
});

it('a role is taken on once an hour, and for each external id of its own', async () => {
  const { host, send, later } = opened(() => new Response(answered));
  const asked = () => host.requests.filter(({ url }) => url.includes('//sts.')).length;
  await send();
  await send();
  expect(asked()).toBe(1);
  await send({ roleExternalId: 'another house' });
  expect(asked()).toBe(2);
  later(54 * 60_000);
  await send();
  expect(asked()).toBe(2);
  later(2 * 60_000);
  await send();
  expect(asked()).toBe(3);
});

it.each<[number, string, string]>([
  [403, '<Code>AccessDenied</Code>', 'refused'],
  [400, '<Code>Throttling</Code>', 'again'],
  [503, '', 'again'],
  [200, '<html>', 'refused'],
])('a role that is answered by %i %s sends no message: %s', async (status, text, answer) => {
  const { host, send } = opened(() => new Response(text, { status }));
  const given = await send();
  expect(given).toMatchObject({ answer, reason: expect.stringContaining(roleArn) });
  expect(JSON.stringify(given)).not.toContain('hidden');
  expect(host.requests).toHaveLength(1);
});

it('the address of the token service is that of the operator alone', async () => {
  const { host, send } = opened(() => new Response(answered), { stsEndpoint: 'https://sts.house.example/' });
  await send();
  expect(host.requests.map(({ url }) => new URL(url).host)).toEqual([
    'sts.house.example',
    'sqs.eu-west-1.amazonaws.com',
  ]);
});
