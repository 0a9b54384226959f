import { expect, it } from 'vitest';
import { maskUserInfo } from '../../../src/core/lib/secret.ts';
import { costSince, cpuTime } from '../../support/turns.ts';

it.each([
  ['s3://key:secret@bucket/path', 's3://***@bucket/path'],
  ['s3://key:se/cr@et@bucket/path', 's3://***@bucket/path'],
  ['http:\\\\key:secret@host', 'http:\\\\***@host'],
  ['cannot reach ftp://a:b@host/ today', 'cannot reach ftp://***@host/ today'],
  ['s3%3A%2F%2Fkey%3Asecret%40bucket', 's3%3A%2F%2F***%40bucket'],
  ['s3%253A%252F%252Fkey%253Asecret%2540bucket', 's3%253A%252F%252F***%2540bucket'],
  ['s3:%2F%2fkey:secret%40bucket', 's3:%2F%2f***%40bucket'],
])('hides the name and the password of %s', (text, shown) => {
  expect(maskUserInfo(text)).toBe(shown);
});

it.each(['file:///srv/media/', 'me@example.org', 'http://host/', '', '@://', 'a:b@c'])('leaves %j alone', (text) => {
  expect(maskUserInfo(text)).toBe(text);
});

it('takes no longer than the text is', () => {
  const texts = [':/'.repeat(50_000), '%25'.repeat(50_000), ':'.repeat(100_000), `:${'/'.repeat(100_000)}`];
  const started = cpuTime();
  for (const text of texts) maskUserInfo(text);
  expect(costSince(started)).toBeLessThan(500);
});
