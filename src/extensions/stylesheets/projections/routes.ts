import { badValue } from '../../../documents/bad-value.ts';
import { uriListDocument } from '../../../documents/index.ts';
import { baseOf } from '../../../http/address.ts';
import { documentOrText } from '../../../http/negotiation.ts';
import { flag } from '../../../http/parameters/index.ts';
import { done, lines } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { ItemsContext } from '../../../items/public.ts';
import {
  attachmentThere,
  type AttachmentKind as Kind,
  keepAttachment as keep,
  keptForms,
  keptReply,
  missingAttachment as missing,
  namesOfAttachments,
  removeAttachment,
  sentContent,
  stylesheetText,
} from '../../../metadata/public.ts';
import { changing } from '../../../store/commit-plan.ts';
import { checkStylesheet, findProjection, fitsLimits, nobody, noun } from './carry-out.ts';

const ways = ['incoming', 'outgoing'] as const;
const kindOf = (way: string): Kind => ({ kind: way, noun, most: 1000 });

/** Refuses invalid names, since they occur in parameters and documents. `default` is the built-in identity. */
function checkProjection(name: string): void {
  if (name === 'default')
    throw badValue('path', 'another name: "default" is the projection that changes nothing', name);
  if (!fitsLimits.test(name))
    throw badValue('path', '1 to 32 letters, digits and _, of which the first is no digit', name);
}

/** Routes for projections: stylesheets between metadata and other documents. */
export function projectionRoutes({ store, limits, clock, render }: ItemsContext): readonly Route[] {
  const path = '/projection';
  const one = `${path}/:projection`;
  const read = role('_projection_read');
  const write = role('_projection_write');

  const waysOf = async (name: string): Promise<readonly string[]> => {
    const found = await Promise.all(ways.map((kind) => findProjection(store, kind, name)));
    return ways.filter((_way, at) => found[at] !== undefined);
  };

  return [
    route({
      method: 'GET',
      path,
      says: 'The names of the projections.',
      query: { url: flag('Addresses instead of names', false) },
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(call, type) {
        const found = await Promise.all(ways.map((kind) => namesOfAttachments(store, { ...nobody, kind })));
        const names = [...new Set(found.flat().map(({ name }) => name))].sort();
        const uri = call.query.url ? names.map((name) => `${baseOf(call)}${path}/${encodeURIComponent(name)}`) : names;
        return type === 'text/plain' ? lines(uri.map((each) => [each])) : render(type, uriListDocument, { uri });
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes a projection with both stylesheets.',
      access: write,
      acting: 'refused',
      async handle(call, { projection }) {
        const name = projection;
        const kept = await waysOf(name);
        if (kept.length === 0) throw missing(noun, name);
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
        answers: 'bytes',
        access: read,
        produces: keptForms,
        async handle(_call, _type, params) {
          const name = params.projection;
          const row = await findProjection(store, way, name);
          if (!row) throw missing(noun, name);
          return keptReply(row);
        },
      }),
      route({
        method: 'PUT',
        path: `${one}/${way}`,
        says: `Stores the stylesheet of a projection for ${way} metadata: XSLT 1.0, with the parts of 2.0 that the guide names.`,
        reads: 'bytes',
        access: write,
        acting: 'refused',
        produces: [],
        async handle(call, _type, params) {
          const name = params.projection;
          checkProjection(name);
          const content = await sentContent(call, limits.bytes);
          await checkStylesheet(call, name, stylesheetText(content.content), clock.now());
          await call.commit(keep(nobody, kindOf(way), name, content, clock.now(), []));
          return done;
        },
      }),
    ]),
  ];
}
