import { describe, expect, it } from 'vitest';
import {
  careful,
  defaultLimits,
  document,
  element,
  list,
  readJson,
  readXml,
  string,
  structure,
} from '../../../src/core/documents/index.ts';

const fields = {
  id: element(string),
  name: element(string).alias('title'),
  password: element(string),
  entry: list(structure('EntryType', { value: element(string) })),
};
const open = document('OpenDocument', fields);
const watched = careful(document('WatchedDocument', fields));

const told = (body: string, description = open): readonly string[] => {
  const names: string[] = [];
  readJson(description, body, defaultLimits, (name) => names.push(name));
  return names;
};

const near = ['pasword', 'passwords', 'Password', 'PASSWORD', 'passwrod', 'nam', 'tilte'].filter(
  (name) => name.length > 3,
);
const far = ['colour', 'idx', 'key', 'pass', 'constructor', '__proto__', 'x'.repeat(10_000)];

describe('names that a description does not know', () => {
  it('are told, at any depth, and those without a value are not', () => {
    expect(told('{"colour":1,"size":null,"entry":[{"weight":{"unit":"g"}}]}')).toEqual(['colour', 'weight']);
  });

  it.each(near)('are refused in a careful document where they are nearly a known one: %s', (name) => {
    const meant = /^t/.test(name) ? 'title' : 'password';
    const explanation = expect.stringContaining(`Expected "${meant}"`);
    expect(() => readJson(watched, JSON.stringify({ [name]: 'x' }))).toThrow(expect.objectContaining({ explanation }));
    expect(() => readXml(watched, `<a><${name}>x</${name}></a>`)).toThrow(expect.objectContaining({ explanation }));
    expect(() => readXml(watched, `<a ${name}="x"/>`)).toThrow(expect.objectContaining({ explanation }));
    expect(told(JSON.stringify({ [name]: 'x' }))).toEqual([name]);
  });

  it('are refused in the entries of a careful document, too', () => {
    expect(() => readJson(watched, '{"entry":[{"valeu":"1"}]}')).toThrow(/Expected "value"/);
  });

  it.each(far)('are accepted in a careful document where they are like no known one: %.20s', (name) => {
    expect(told(JSON.stringify({ [name]: 'x' }).replace('{}', '{"__proto__":"x"}'), watched)).toHaveLength(1);
  });

  it('a flood of them is told, and not compared without end', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`passwo${index}`, 1]));
    expect(() => readJson(watched, JSON.stringify(many))).toThrow(/Expected "password"/);
    const others = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`colour${index}`, 1]));
    expect(told(JSON.stringify(others), watched)).toHaveLength(5_000);
  });
});
