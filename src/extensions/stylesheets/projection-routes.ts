import type { ItemsContext } from '../../assets/items/public.ts';
import {
  type AttachmentRow,
  attachmentThere,
  type AttachmentKind as Kind,
  keepAttachment as keep,
  keptForms,
  keptReply,
  missingAttachment as missing,
  namesOfAttachments,
  removeAttachment,
  stylesheetText,
} from '../../assets/metadata/public.ts';
import { badValue } from '../../core/documents/error.ts';
import { changing } from '../../core/store/commit-plan.ts';
import { baseOf } from '../../http/address.ts';
import { uris } from '../../http/answers.ts';
import { raw } from '../../http/forms.ts';
import { flag } from '../../http/parameters/index.ts';
import type { PathEntity } from '../../http/path-entity.ts';
import { content } from '../../http/reads.ts';
import { type Route, role, route } from '../../http/route.ts';
import { checkStylesheet, findProjection, fitsLimits, nobody, noun } from './projections.ts';

const ways = ['incoming', 'outgoing'] as const;
const kindOf = (way: string): Kind => ({ kind: way, noun, max: 1000 });

/** Refuses invalid names, since they occur in parameters and documents. `default` is the built-in identity. */
function checkProjection(name: string): void {
  if (name === 'default')
    throw badValue('path', 'another name: "default" is the projection that changes nothing', name);
  if (!fitsLimits.test(name))
    throw badValue('path', '1 to 32 letters, digits and _, of which the first is no digit', name);
}

/** Routes for projections: stylesheets between metadata and other documents. */
export function projectionRoutes({ store, clock }: ItemsContext): readonly Route[] {
  const path = '/projection';
  const one = `${path}/:projection` as const;
  const read = role('_projection_read');
  const write = role('_projection_write');

  const stylesheet = (way: (typeof ways)[number]): PathEntity<AttachmentRow> => ({
    kind: 'projection',
    async find(name) {
      const row = await findProjection(store, way, name);
      if (row) return row;
      throw missing(noun, name);
    },
  });

  /** A projection by its name, with the ways for which it has a stylesheet. */
  const projection: PathEntity<{ readonly name: string; readonly kept: readonly string[] }> = {
    kind: 'projection',
    async find(name) {
      const rows = await Promise.all(ways.map((way) => findProjection(store, way, name)));
      const keptWays = ways.filter((_way, at) => rows[at] !== undefined);
      if (keptWays.length > 0) return { name, kept: keptWays };
      throw missing(noun, name);
    },
  };

  return [
    route({
      method: 'GET',
      path,
      says: 'The names of the projections.',
      query: { url: flag('Addresses instead of names', false) },
      answers: uris,
      access: read,
      async handle(call) {
        const rows = await Promise.all(ways.map((kind) => namesOfAttachments(store, { ...nobody, kind })));
        const names = [...new Set(rows.flat().map(({ name }) => name))].sort();
        return call.query.url ? names.map((name) => `${baseOf(call)}${path}/${encodeURIComponent(name)}`) : names;
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a projection with both stylesheets.',
      entities: { projection },
      access: write,
      acting: 'refused',
      async handle(call, { projection: { name, kept } }) {
        const changes = kept.flatMap((kind) => [
          attachmentThere({ ...nobody, kind, name }, missing(noun, name)),
          removeAttachment({ ...nobody, kind, name }),
        ]);
        await call.commit(changing(...changes));
      },
    }),
    ...ways.flatMap((way): Route[] => [
      route({
        method: 'GET',
        path: `${one}/${way}`,
        says: `The stylesheet of a projection for ${way} metadata, with the bytes that were sent.`,
        entities: { projection: stylesheet(way) },
        answers: raw('bytes', keptForms),
        access: read,
        handle: (_call, { projection }) => keptReply(projection),
      }),
      route({
        method: 'PUT',
        path: `${one}/${way}`,
        says: `Stores the stylesheet of a projection for ${way} metadata: XSLT 1.0, with the parts of 2.0 that the guide names.`,
        reads: content,
        access: write,
        acting: 'refused',
        async handle(call, { projection: name }) {
          checkProjection(name);
          await checkStylesheet(call, name, stylesheetText(call.body.content), clock.now());
          await call.commit(keep(nobody, kindOf(way), name, call.body, clock.now(), []));
        },
      }),
    ]),
  ];
}
