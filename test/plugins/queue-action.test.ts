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
