import { badValue } from '../../../documents/bad-value.ts';
import { readJson, uriListDocument, writeJson } from '../../../documents/index.ts';
import { documentOrText } from '../../../http/negotiation.ts';
import { lines } from '../../../http/reply.ts';
import { type Route, role, route } from '../../../http/route.ts';
import type { ItemsContext } from '../../../items/public.ts';
import {
  attachmentThere,
  findAttachment,
  type AttachmentKind as Kind,
  keepAttachment as keep,
  missingAttachment as missing,
  namesOfAttachments,
  deleteAttachment as remove,
  removeAttachment,
  writeAttachment,
} from '../../../metadata/public.ts';
import { changing, together } from '../../../store/commit-plan.ts';
import { checkStylesheet } from '../projections/carry-out.ts';
import { autoProjectionRuleDocument } from './documents.ts';
import { failureOf, forgetFailure, rulesOwner as nobody, switchedOff as off, switchedOn as on } from './store.ts';

const noun = 'AutoProjectionRule';
const kindOf = (kind: string): Kind => ({ kind, noun, most: 1000 });
const switches = [
  ['enable', on, off, 'on'],
  ['disable', off, on, 'off'],
] as const;

/** Routes for rules that change metadata when metadata changes. */
export function autoProjectionRoutes({ store, limits, clock, render }: ItemsContext): readonly Route[] {
  const path = '/auto-projection';
  const one = `${path}/:rule`;
  const read = role('_auto_projection_read');
  const write = role('_auto_projection_write');

  const rowIn = (kind: string, name: string) => findAttachment(store, { ...nobody, kind, name });
  async function ruleNamed(name: string) {
    for (const kind of [on, off]) {
      const row = await rowIn(kind, name);
      if (row) return { kind, row };
    }
    throw missing(noun, name);
  }

  const listing = (at: string, says: string, kinds: readonly string[]): Route =>
    route({
      method: 'GET',
      path: at,
      says,
      answers: [uriListDocument, 'text'],
      access: read,
      produces: documentOrText,
      async handle(_call, type) {
        const found = await Promise.all(kinds.map((kind) => namesOfAttachments(store, { ...nobody, kind })));
        const uri = found
          .flat()
          .map(({ name }) => name)
          .sort();
        return type === 'text/plain' ? lines(uri.map((name) => [name])) : render(type, uriListDocument, { uri });
      },
    });

  return [
    listing(path, 'The names of the auto-projection rules.', [on, off]),
    ...switches.map(([word, kind, , state]) =>
      listing(`${path}/${word}`, `The names of the auto-projection rules that are switched ${state}.`, [kind]),
    ),
    route({
      method: 'GET',
      path: one,
      says: 'An auto-projection rule.',
      answers: autoProjectionRuleDocument,
      access: read,
      async handle(_call, { rule = '' }) {
        const { content } = (await ruleNamed(rule)).row;
        const value = readJson(autoProjectionRuleDocument, content, limits);
        const failure = await failureOf(store, { name: rule });
        const failed = failure && { lastFailure: failure.at, failureMessage: failure.says };
        return { ...value, name: rule, ...failed };
      },
    }),
    route({
      method: 'PUT',
      path: one,
      says: 'Sets an auto-projection rule, which updates metadata when other metadata changes.',
      reads: autoProjectionRuleDocument,
      access: write,
      acting: 'refused',
      async handle(call, { rule = '' }) {
        if (switches.some(([word]) => word === rule))
          throw badValue('path', 'another name than enable or disable', rule);
        const document = call.body;
        for (const { xslt } of document.step ?? []) {
          if (xslt !== undefined) await checkStylesheet(call, rule, xslt, clock.now());
        }
        const kind = (await rowIn(off, rule)) ? off : on;
        const content = new TextEncoder().encode(writeJson(autoProjectionRuleDocument, document));
        const kept = { mediaType: 'application/json', content };
        const work = keep(nobody, kindOf(kind), rule, kept, clock.now(), []);
        await call.commit(together(work, changing(forgetFailure({ name: rule }))));
      },
    }),
    route({
      method: 'DELETE',
      path: one,
      says: 'Removes an auto-projection rule.',
      access: write,
      acting: 'refused',
      async handle(call, { rule = '' }) {
        const work = remove(nobody, kindOf((await ruleNamed(rule)).kind), rule);
        await call.commit(together(work, changing(forgetFailure({ name: rule }))));
      },
    }),
    ...switches.map(
      ([word, to, from, state]): Route =>
        route({
          method: 'PUT',
          path: `${one}/${word}`,
          says: `Switches an auto-projection rule ${state}.`,
          access: write,
          acting: 'refused',
          async handle(call, { rule = '' }) {
            const { kind, row } = await ruleNamed(rule);
            if (kind === to) return;
            const { mediaType, content } = row;
            const there = { ...nobody, kind: from, name: rule };
            const moved = writeAttachment({ ...there, kind: to, mediaType, content, now: clock.now() });
            await call.commit(changing(attachmentThere(there, missing(noun, rule)), removeAttachment(there), moved));
          },
        }),
    ),
  ];
}
