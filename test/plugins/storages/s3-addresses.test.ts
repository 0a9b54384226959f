import { describe, expect, it } from 'vitest';
import { bucketStorage } from '../../../plugins/storages/s3/driver.ts';
import { secretText, testHost } from '../../../src/kit/testing/index.ts';
import { usual } from './s3-support.ts';

describe('addresses of buckets', () => {
  const secret = { user: 'KEY', password: secretText('SECRET') };
  const defectOf = async (uri: string, given: object = secret) =>
    (await bucketStorage.create(usual, testHost())).defect!({ uri, ...given });

  it.each([
    ['s3://media/', 'https://media.s3.us-east-1.amazonaws.com/'],
    ['s3://media/?region=eu-west-1', 'https://media.s3.eu-west-1.amazonaws.com/'],
    ['s3://with.dots/', 'https://s3.us-east-1.amazonaws.com/with.dots/'],
    ['s3://media/?pathStyle=true', 'https://s3.us-east-1.amazonaws.com/media/'],
    ['s3://media/?endpoint=http://store.example:7480', 'http://store.example:7480/media/'],
    ['s3://media/?endpoint=store.example', 'https://store.example/media/'],
    ['s3://media/?endpoint=https%3A%2F%2Fstore.example&pathStyle=false', 'https://media.store.example/'],
  ])('%s is %s', async (uri, expected) => {
    const host = testHost();
    const driver = (await bucketStorage.create(usual, host)).open({ uri, ...secret });
    await driver.check().catch(() => undefined);
    expect(host.requests[0]!.url.replace(/\?.*$/, '')).toBe(expected);
    expect(await defectOf(uri)).toBeUndefined();
  });

  it.each([
    ['s3://media/', {}, 'an access key and its secret'],
    ['s3://media/', { user: 'KEY' }, 'an access key and its secret'],
    ['s3://media/', { user: 'a/b', password: secretText('x') }, 'without blanks and slashes'],
    ['s3://media/a/../b/', secret, 'a folder'],
    ['s3://media/a/%2e%2e/b/', secret, 'a folder'],
    ['s3://me..dia/', secret, 'the name of a bucket'],
    ['s3://media@evil.example/', secret, 'an address'],
    ['s3://169.254.169.254/', secret, 'no address'],
    ['s3://media/?endpoint=https://good@evil.example', secret, 'an endpoint'],
    ['s3://media/?endpoint=https://evil.example/path', secret, 'an endpoint'],
    ['s3://media/?endpoint=https://evil.example%23', secret, 'an endpoint'],
    ['s3://media/?endpoint=file:///etc', secret, 'an endpoint'],
    ['s3://media/?endpoint=a&endpoint=b', secret, 'one percent-encoded value'],
    ['s3://media/?region=x%0d%0a', secret, 'a region'],
    ['s3://media/?pathStyle=yes', secret, '"true" or "false"'],
    ['s3://media/?secret=abc', secret, 'no other parameters'],
    ['s3://media/#x', secret, 'an address'],
  ])('%s is refused (%#)', async (uri, given, told) => {
    expect(await defectOf(uri, given)).toContain(told);
  });
});
