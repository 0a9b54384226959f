import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { raw } from '../../../src/http/forms.ts';
import { type ApiForm, openApiParts } from '../../../src/http/openapi/index.ts';
import { operation } from '../../../src/http/openapi/operation.ts';
import { operationId, pathTemplate } from '../../../src/http/openapi/path.ts';
import { flag, list, text, whole } from '../../../src/http/parameters/index.ts';
import { done } from '../../../src/http/reply.ts';
import { anybody, role, roleOrSelf, route } from '../../../src/http/route.ts';
import { groupDocument, userDocument } from '../../../src/identity/documents.ts';
import { catalogue } from '../../support/declared.ts';
import { openService } from '../../support/service.ts';

const world = await openService({ start: false });
const { routes } = world.service;
await world.close();

const api = { routes, documents: catalogue, version: '1', namespace: 'urn:test' };
const made = (form: ApiForm = 'all') => JSON.parse([...openApiParts({ ...api, form })].join(''));

type Operation = { readonly operationId: string; readonly security?: unknown; readonly 'x-role': string };
const operations = async (): Promise<Map<string, Operation>> => {
  const paths: Readonly<Record<string, object>> = made().paths;
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one as Operation] as const),
    ),
  );
};

describe('the OpenAPI document of all routes', () => {
  it.each(['all', 'json'] as const)('is valid for a published validator: %s', async (form) => {
    expect(await new Validator().validate(made(form))).toEqual({ valid: true });
  });

  it('as JSON alone, has what generators of clients read of each call: JSON, texts and bytes', () => {
    const types = (form: ApiForm) =>
      [...JSON.stringify(made(form)).matchAll(/"([\w.+-]+\/[\w.+-]+)":\{/g)].map(([, type]) => type);
    expect(new Set(types('all'))).toContain('application/xml');
    expect([...new Set(types('json'))].filter((type) => !/json$|^text\/|octet-stream$/.test(type!))).toEqual([]);
    const calls = (form: ApiForm) =>
      Object.entries<object>(made(form).paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method} ${path}`),
      );
    const described = new Set(calls('json'));
    const others = calls('all').filter((call) => !described.has(call));
    expect(others).toContain('put /user/{name}/password');
    expect(others.length).toBeLessThan(25);
  });

  it.each([
    ['a parameter without a place', "paths['/user/{name}'].get.parameters[0]", { name: 'name' }],
    ['an answer without a description', "paths['/user'].get.responses['200']", { content: {} }],
    ['a reference to nothing', 'components.schemas.UserDocument', { $ref: '#/components/schemas/Nobody' }],
  ])('would not be valid with %s', async (_, place, broken) => {
    const document = made();
    const steps = place
      .replace(/\['([^']+)'\]|\[(\d+)\]/g, (_all, name, index) => `\u0000${name ?? index}`)
      .split(/[.\u0000]/);
    const [last, ...others] = steps.filter((step) => step !== '').reverse();
    const parent = others.reverse().reduce((value, step) => value[step], document);
    expect(parent[last!], place).toBeDefined();
    parent[last!] = broken;
    const told = await new Validator().validate(document).catch(() => ({ valid: false }));
    expect(told.valid).toBe(false);
  });

  it('has each route once, with what it needs', async () => {
    const found = await operations();
    const known = routes.map(
      ({ method, path, access }) => [`${method} ${pathTemplate(path).template}`, access.needs.role] as const,
    );
    expect(known.length).toBe(new Map(known).size);
    expect(new Map([...found].map(([name, one]) => [name, one['x-role']]))).toEqual(new Map(known));
    const open = [...found].filter(([, { security }]) => security !== undefined).map(([name]) => name);
    expect(open.sort()).toEqual(known.flatMap(([name, needs]) => (needs === 'nothing' ? [name] : [])).sort());
  });

  it('has a schema for each body, and defaults that are values of their parameters, as generators need them', () => {
    const { paths } = made();
    const all = Object.values<object>(paths).flatMap((item) => Object.values(item));
    const bodies = all.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    expect(bodies.filter((body) => !Object.hasOwn(body as object, 'schema'))).toEqual([]);
    const schemas = all.flatMap(({ parameters = [] }) => parameters.map(({ schema }: { schema: object }) => schema));
    const wrong = schemas.filter(
      ({ type, enum: words, default: value }) =>
        value !== undefined && (words?.includes(value) === false || typeof value !== type.replace('integer', 'number')),
    );
    expect(wrong).toEqual([]);
  });

  it('has no two paths that differ in the names of their parameters only, and no two operations of one id', async () => {
    const found = await operations();
    const { paths } = made();
    const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
    // Else one method would take a segment as opaque that another one refuses.
    const byTemplate = new Map(routes.map(({ path }) => [pathTemplate(path).template, path]));
    expect(routes.filter(({ path }) => byTemplate.get(pathTemplate(path).template) !== path)).toEqual([]);
    const ids = [...found.values()].map((one) => one.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z0-9]+$/.test(id))).toEqual([]);
  });
});

describe('a route in the words of OpenAPI', () => {
  const handle = () => done;

  it('has its parameters, bodies and answers', () => {
    const row = route({
      method: 'PUT',
      path: '/group/:name{opaque}/metadata/:key{.+}',
      says: 'Sets a value',
      access: role('_group_write'),
      acting: () => undefined,
      query: {
        first: whole('The first row', { defaultValue: 1, least: 1 }),
        deep: flag('Also below'),
        in: list(text('Names')),
        why: text('The reason', { required: true }),
      },
      reads: raw([groupDocument, userDocument, 'text', 'nothing']),
      answers: raw(groupDocument, ['application/xml', 'application/json', 'text/plain']),
      handle,
    });
    const group = { $ref: '#/components/schemas/GroupDocument' };
    const either = { schema: { $ref: '#/components/schemas/GroupDocumentOrUserDocument' } };
    const text_ = { schema: { type: 'string' } };
    const query = { in: 'query', 'x-matrix': true };
    expect(operation(row)).toEqual({
      operationId: 'putGroupByNameMetadataByKey',
      tags: ['group'],
      summary: 'Sets a value',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: expect.stringContaining('"/", "\\", ";" and "%" percent-encoded, once'),
          'x-opaque': true,
        },
        {
          name: 'key',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: expect.any(String),
          'x-rest': true,
        },
        { ...query, name: 'first', description: 'The first row', schema: { type: 'integer', minimum: 1, default: 1 } },
        { ...query, name: 'deep', description: 'Also below', schema: { type: 'boolean' } },
        {
          ...query,
          name: 'in',
          description: 'Names',
          schema: { type: 'array', items: { type: 'string' } },
          style: 'form',
          explode: true,
          'x-commas': true,
        },
        { ...query, name: 'why', description: 'The reason', required: true, schema: { type: 'string' } },
      ],
      requestBody: {
        required: false,
        content: { 'application/json': either, 'application/xml': either, 'text/plain': text_ },
      },
      responses: {
        '200': {
          description: 'The answer.',
          content: { 'application/xml': { schema: group }, 'application/json': { schema: group }, 'text/plain': text_ },
        },
        '401': { $ref: '#/components/responses/NotAuthenticated' },
        '403': { $ref: '#/components/responses/NotAllowed' },
        default: { $ref: '#/components/responses/Refused' },
      },
      'x-role': '_group_write',
      'x-acting': 'partly',
    });
  });

  it.each([
    ['a created document', groupDocument, 201, { '201': 'The answer.' }],
    ['a document or nothing', groupDocument, 204, { '200': 'The answer.', '204': 'Done. The answer has no body.' }],
    ['nothing that is created', undefined, 201, { '201': 'Done. The answer has no body.' }],
    ['another address', undefined, 303, { '303': 'The header `location` has the next address.' }],
  ] as const)('has the status of %s', (_what, answers, status, descriptions) => {
    const common = { method: 'GET', path: '/group', says: 'Something.', access: anybody, status } as const;
    const { responses } = operation(route({ ...common, answers: raw(answers ? [answers] : []), handle }));
    const { default: _, ...told } = responses as Record<string, { readonly description: string }>;
    expect(Object.fromEntries(Object.entries(told).map(([key, { description }]) => [key, description]))).toEqual(
      descriptions,
    );
  });

  it('says who may use it without the role, and what needs no credentials', () => {
    const own = {
      method: 'GET',
      path: '/user/:name',
      says: 'Something.',
      access: roleOrSelf('_user_read', 'name'),
      produces: [],
      handle,
    } as const;
    expect(operation(own)).toMatchObject({
      'x-role': '_user_read',
      'x-or-self': { param: 'name' },
      'x-acting': 'allowed',
    });
    expect(operation(own)).not.toHaveProperty('security');
    const open = { ...own, path: '/health', access: anybody };
    expect(operation(open)).toEqual({
      operationId: 'getHealth',
      tags: ['health'],
      summary: 'Something.',
      responses: {
        '200': { description: 'Done. The answer has no body.' },
        default: { $ref: '#/components/responses/Refused' },
      },
      security: [],
      'x-role': 'nothing',
      'x-acting': 'allowed',
    });
  });

  it.each([
    ['GET', '/openapi.json', 'getOpenapiJson'],
    ['DELETE', '/deletion-lock/:entity/notification', 'deleteDeletionLockByEntityNotification'],
  ])('%s %s is %s', (method, path, id) => expect(operationId(method, path)).toBe(id));
});
