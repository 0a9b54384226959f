import { expect, it } from 'vitest';
import { withoutSecrets } from '../../../src/core/lib/secret.ts';
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
  expect(withoutSecrets(text)).toBe(shown);
});

it.each(['file:///srv/media/', 'me@example.org', 'http://host/', '', '@://', 'a:b@c'])('leaves %j alone', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});

it.each([
  ['https://h/a.mov?sv=1&sig=canary%2B%3D', 'https://h/a.mov?sv=1&sig=***'],
  [
    'https://h/a.mov?X-Amz-Date=1&X-Amz-Signature=canary&x-amz-security-token=canary',
    'https://h/a.mov?X-Amz-Date=1&X-Amz-Signature=***&x-amz-security-token=***',
  ],
  ['https://u:canary@h/?token=canary#access_token=canary', 'https://***@h/?token=***#access_token=***'],
  ['https://h/;jsessionid=canary;v=1?a=b', 'https://h/;jsessionid=***;v=1?a=b'],
  // An address in a parameter of another, encoded once and more often.
  [
    'https://h/?url=https%3A%2F%2Fi%2F%3Fa%3D1%26sig%3Dcanary%26b%3D2&c=3',
    'https://h/?url=https%3A%2F%2Fi%2F%3Fa%3D1%26sig%3D***%26b%3D2&c=3',
  ],
  ['https%3A%2F%2Fh%2F%3Ftoken%3Dcanary%2526canary%26b%3D2', 'https%3A%2F%2Fh%2F%3Ftoken%3D***%26b%3D2'],
  ['h%253Fs%2569g%253Dcanary%2526x%253D1', 'h%253Fs%2569g%253D***%2526x%253D1'],
  [
    'h%2525252525252525253Fsig%2525252525252525253Dcanary%26x%3Dcanary',
    'h%2525252525252525253Fsig%2525252525252525253D***',
  ],
  ['sig=canary', 'sig=***'],
  ['https://h/%zz?%73ig=canary', 'https://h/%zz?%73ig=***'],
])('hides what opens something in %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
  expect(shown).not.toContain('canary');
});

it.each(['https://h/?a=1&b=2', 'title=Night&field=x', 'a?b', '?=&=', 'sig'])(
  'leaves the parameters of %j alone',
  (text) => {
    expect(withoutSecrets(text)).toBe(text);
  },
);

it('takes no longer than the text is', () => {
  const texts = [
    '?a=1&sig=2'.repeat(10_000),
    '%3F'.repeat(30_000),
    `?${'a'.repeat(100_000)}`,
    '%3Fsig%3D'.repeat(10_000),
    ':/'.repeat(50_000),
    '%25'.repeat(50_000),
    ':'.repeat(100_000),
    `:${'/'.repeat(100_000)}`,
  ];
  const started = cpuTime();
  for (const text of texts) withoutSecrets(text);
  expect(costSince(started)).toBeLessThan(500);
});
