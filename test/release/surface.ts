import { readFileSync } from 'node:fs';
import { settingTable } from '../../src/composition/settings.ts';
import { jsonSchemaDefinitions, xsdParts } from '../../src/core/documents/index.ts';
import type { EventTable } from '../../src/core/events/event-kinds.ts';
import { errorCatalogue } from '../../src/core/lib/errors.ts';
import { changeable } from '../../src/core/settings/kinds.ts';
import { variableOf } from '../../src/core/settings/read.ts';
import { commands } from '../../src/entry/commands/index.ts';
import { formList } from '../../src/http/forms.ts';
import { isDocument, routeLevels } from '../../src/http/openapi/operation.ts';
import type { Parameter } from '../../src/http/parameters/read.ts';
import type { Route } from '../../src/http/route.ts';
import { componentKinds } from '../docs/components-page.ts';
import { catalogue, events, releaseRoles } from '../support/declared.ts';
import type { Surface } from './compare.ts';

/** Names of a part, each with what is said of it. Those of `demands` may only become fewer. */
type Facts = Generator<string | { readonly demand: string }>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly string[];
}

/** Everything that others rely on, from the declarations of the product. */
export function surfaceOf(routes: readonly Route[]): Surface {
  const promises: string[] = [];
  const demands: string[] = [];
  for (const fact of facts(routes)) {
    if (typeof fact === 'string') promises.push(fact);
    else demands.push(fact.demand);
  }
  return { promises: [...new Set(promises)].sort(), demands: [...new Set(demands)].sort() };
}

function* facts(routes: readonly Route[]): Facts {
  yield* calls(routes);
  yield* documents();
  yield* eventFacts();
  for (const name of Object.keys(changeable(settingTable))) yield `setting ${variableOf(name)}`;
  for (const [code, { status, fault }] of Object.entries(errorCatalogue)) {
    yield* [`error ${code}`, `error ${code} | ${status} ${fault}`];
  }
  for (const role of releaseRoles) yield `role ${role}`;
  for (const [name, { usage, says }] of commands) {
    yield `command ${name}`;
    for (const [exit] of says.matchAll(/\bExits with [^.]+/g)) yield `command ${name} | ${exit}`;
    for (const [option] of usage.matchAll(/--[\w-]+/g)) yield `command ${name} | ${option}`;
  }
  yield* componentFacts();
  yield* contract();
}

function* calls(routes: readonly Route[]): Facts {
  for (const route of routes) {
    const { method, path, query = {}, reads, answers, produces, status = 200, access } = route;
    const call = `call ${method} ${path}`;
    yield* [call, `${call} | answers ${status}`];
    for (const [name, { schema, required }] of Object.entries(query)) {
      yield `${call} | takes ${name}: ${kindOf(schema)}`;
      if (required) yield { demand: `${call} | ${name}` };
    }
    for (const form of formList(reads)) yield `${call} | reads ${isDocument(form) ? form.name : form}`;
    for (const form of formList(answers)) yield `${call} | answers ${isDocument(form) ? form.name : form}`;
    for (const type of produces) yield `${call} | produces ${type}`;
    const { role, also, besides } = access.needs;
    for (const need of [role, also, besides]) if (need !== undefined) yield { demand: `${call} | ${need}` };
    for (const [segment, level] of routeLevels(route)) yield { demand: `${call} | ${level} on ${segment}` };
  }
}

const kindOf = ({ type, items, enum: words }: Parameter['schema']): string =>
  words ? words.join(', ') : type === 'array' ? `list of ${kindOf(items!)}` : type;

function* documents(): Facts {
  const schemas = jsonSchemaDefinitions(catalogue, '') as Readonly<Record<string, Schema>>;
  for (const [name, schema] of Object.entries(schemas)) {
    const type = `document ${name}`;
    yield type;
    if (schema.$ref !== undefined) yield `${type} | is ${schema.$ref}`;
    for (const [property, value] of Object.entries(schema.properties ?? {}))
      yield `${type} | ${property}: ${shapeOf(value)}`;
    for (const property of schema.required ?? []) yield { demand: `${type} | ${property}` };
  }
  let type = '';
  for (const line of [...xsdParts(catalogue, '')].join('').split(/(?=<)/)) {
    const [, name] = /^<xs:(?:complexType|element) name="(\w+)">/.exec(line) ?? [];
    if (name !== undefined) {
      type = `xsd ${name}`;
      yield type;
    }
    const [, kind, child, of] = /^<xs:(element|attribute) name="([\w-]+)" type="([\w:]+)"/.exec(line) ?? [];
    if (child !== undefined) yield `${type} | ${kind} ${child}: ${of}`;
  }
}

const shapeOf = ({ $ref, type, items, enum: words, ...others }: Schema): string =>
  $ref ?? words?.join(', ') ?? (items ? `list of ${shapeOf(items)}` : (type ?? JSON.stringify(others)));

function* eventFacts(): Facts {
  for (const [name, { trigger }] of Object.entries(events as EventTable)) {
    yield `event ${name}`;
    if (!trigger) continue;
    yield `event ${name} | at ${trigger.resource}`;
    for (const [key, value] of Object.entries(trigger.says)) yield `event ${name} | ${key}=${value}`;
    for (const output of trigger.tells) yield `event ${name} | ${JSON.stringify(output)}`;
  }
}

function* componentFacts(): Facts {
  for (const [, components] of componentKinds) {
    for (const [name, { properties = {} }] of Object.entries(components)) {
      yield `component ${name}`;
      for (const property of Object.keys(properties)) yield `component ${name} | ${property}`;
    }
  }
}

const modules = [
  'action',
  'credentials',
  'filter',
  'host',
  'login',
  'media',
  'plugin',
  'realm',
  'search-engine',
  'storage',
  'transcoder',
  'user-info',
];

/** A line of an interface, with the lines that are deeper than it. */
const member = /^ {2}\w.*(?:\n(?: {4,}.*| {2}[}\])|].*))*/gm;

/** Interfaces that plugins implement. A member that one must have more breaks every plugin. */
const implemented: ReadonlySet<string> = new Set([
  ...['AuthenticationListener', 'Component', 'CredentialsMatcher', 'Filter', 'NotificationAction'],
  ...['Prober', 'Realm', 'RedirectLogin', 'SearchEngine', 'ServiceUserInfoProvider', 'StorageDriver', 'StorageScheme'],
  'Transcoder',
]);

/** The contract of plugins, as its sources have it: names, members of interfaces, and whole types. */
export function* contract(folder = 'src/spi'): Facts {
  const text = (path: string) => readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  for (const [, names] of text(`${folder}/index.ts`).matchAll(/^export type \{([^}]*)\}/gm))
    for (const [name] of names!.matchAll(/\w+/g)) yield `portico/spi ${name}`;
  for (const name of modules) {
    const source = text(`${folder}/${name}.ts`);
    for (const [, kind, type, rest] of source.matchAll(
      /^export (interface|type) (\w+)([\s\S]*?)(?=^export |^interface |^type |(?![\s\S]))/gm,
    )) {
      const subject = `contract ${type}`;
      yield subject;
      const said = kind === 'type' ? [rest!] : [...rest!.matchAll(member)].map(([each]) => each);
      const plain = (part: string): string => part.replace(/\s+/g, ' ').trim();
      for (const each of said) yield `${subject} | ${plain(each)}`;
      if (kind === 'type') continue;
      // Type parameters, and what it extends.
      const head = plain(rest!.slice(0, rest!.indexOf('{')));
      if (head !== '') yield `${subject} | ${head}`;
      if (!implemented.has(type!)) continue;
      for (const each of said)
        if (!/^\s*(?:readonly )?\w+\?/.test(each)) yield { demand: `${subject} | ${plain(each)}` };
    }
  }
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of Object.keys(exports)) yield `module portico${name.slice(1)}`;
}
