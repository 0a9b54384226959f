import type { Sent } from '../../support/matrix.ts';
import { admin } from '../../support/service.ts';
import type { Rule } from './rule.ts';

const as = (request: string, body?: Sent['body']): Sent => ({ as: admin, request, body });
/** A projection has no longer one. The numbers of callers come first. */
const name = (who: string): string => `tasks_${who.replaceAll('-', '_')}`.slice(0, 32);
const stylesheet = '<a v:version="2.0" xmlns:v="http://www.w3.org/1999/XSL/Transform"/>';

const given = (who: string): readonly Sent[] => [
  as(`PUT /API/task-group/${name(who)}`, {
    transcoder: [{ id: 'VX-1' }],
    metadata: { field: [{ key: 'k', value: 'v' }] },
  }),
  as(`PUT /API/metadata-schema/${name(who)}`, {}),
  as(`PUT /API/metadata/dataset/${name(who)}`, 'text'),
  as(`PUT /API/projection/${name(who)}/incoming`, stylesheet),
  as(`PUT /API/projection/${name(who)}/outgoing`, stylesheet),
];

const rule =
  (needs: Rule['needs']) =>
  ([route, body]: readonly [route: string, body?: Sent['body']]): Rule => {
    const [method, path] = route.split(' ') as [string, string];
    return {
      route,
      needs,
      given,
      request: (who) => ({
        request: `${method} /API${path
          .replace(/:(?:name|group|dataset|projection)\b/, name(who))
          .replace(':transcoder', 'VX-1')
          .replace(':key{.+}', 'k')}`,
        body,
      }),
    };
  };

const one = '/task-group/:name';
const schema = '/metadata-schema/:group';
const projection = '/projection/:projection';
const dataset = '/metadata/dataset/:dataset';
const metadata = { field: [{ key: 'k', value: 'w' }] };

/** Rules of things that are kept as parts of one document, or under a name of their own. */
export const taskGroupRules: readonly Rule[] = [
  ...([[`GET ${one}`], [`GET ${one}/metadata`], [`GET ${one}/metadata/:key{.+}`]] as const).map(rule('_resource_read')),
  ...(
    [
      [`PUT ${one}`],
      [`DELETE ${one}`],
      [`PUT ${one}/transcoder/:transcoder`],
      [`DELETE ${one}/transcoder/:transcoder`],
      [`PUT ${one}/metadata`, metadata],
      [`DELETE ${one}/metadata`],
      [`PUT ${one}/metadata/:key{.+}`, 'w'],
      [`DELETE ${one}/metadata/:key{.+}`],
    ] as const
  ).map(rule('_resource_write')),
  ...([[`GET ${schema}`]] as const).map(rule('_metadata_field_group_read')),
  ...([[`PUT ${schema}`, {}], [`DELETE ${schema}`]] as const).map(rule('_metadata_field_group_write')),
  ...([[`GET ${projection}/incoming`], [`GET ${projection}/outgoing`]] as const).map(rule('_projection_read')),
  ...(
    [
      [`PUT ${projection}/incoming`, stylesheet],
      [`PUT ${projection}/outgoing`, stylesheet],
      [`DELETE ${projection}`],
    ] as const
  ).map(rule('_projection_write')),
  ...([[`GET ${dataset}`]] as const).map(rule('_metadata_dataset_read')),
  ...([[`PUT ${dataset}`, 'text'], [`DELETE ${dataset}`]] as const).map(rule('_metadata_dataset_write')),
];
