import { expect, it } from 'vitest';
import { rootName } from '../../../src/core/documents/index.ts';
import { cpuTime } from '../../support/turns.ts';

it.each([
  ['<UserDocument/>', 'UserDocument'],
  ['<UserDocument xmlns="urn:x">', 'UserDocument'],
  ['<v:UserDocument\nxmlns:v="urn:x">', 'UserDocument'],
  ['\ufeff<?xml version="1.0"?>\n<!-- <No/> --><?pi <No/> ?><UserDocument>', 'UserDocument'],
  ['', undefined],
  ['UserDocument', undefined],
  ['{"userName":"a"}', undefined],
  ['<!-- <UserDocument/>', undefined],
  ['<?xml <UserDocument/>', undefined],
  ['<!DOCTYPE a><a/>', undefined],
  ['</UserDocument>', undefined],
  ['<UserDocument', undefined],
  [`<${'a'.repeat(100)}/>`, undefined],
])('the root of %j is %j', (xml, name) => {
  expect(rootName(xml)).toBe(name);
});

it('is found in linear time, whatever stands in front of it', () => {
  const started = cpuTime();
  for (const piece of ['<!--', '<?', '<!---->', '<??>', ' ', '<a:']) rootName(piece.repeat(200_000));
  expect(cpuTime() - started).toBeLessThan(2_000);
});
