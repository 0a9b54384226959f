import { expect, it } from 'vitest';
import { queueAction } from '../../plugins/queue-action.ts';
import { type Backend, secretText, testHost } from '../../src/kit/testing/index.ts';

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
