import { askerOf } from '../../../assets/definitions/public-reading.ts';
import { findTag, noSuchTag, shapesAt, tagMustExist, transcodePresetDocument } from '../../../assets/shapes/public.ts';
import { existing } from '../../../core/lib/checks.ts';
import { ServiceError } from '../../../core/lib/errors.ts';
import { ScriptFails } from '../../../core/scripts/run-script.ts';
import { changing } from '../../../core/store/commit-plan.ts';
import { type Statement, systemActor } from '../../../core/store/contract.ts';
import { text } from '../../../http/parameters/index.ts';
import type { PathEntity } from '../../../http/path-entity.ts';
import { textOf } from '../../../http/reads.ts';
import { anybody, type Route, role, route } from '../../../http/route.ts';
import type { TranscodingParts } from '../parts.ts';
import { findScript, putScript, putTemplate, removeScript } from '../store.ts';
import { evaluatePreset } from './preset.ts';
import { defaultTagRows, defaultTags, templates } from './templates.ts';

const read = role('_shape_tag_read');
const write = role('_shape_tag_write');
const onScript = '/shape-tag/:tag/script';
const maxScriptLength = 256 * 1024;

const noScript = (tag: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'shape-tag-script', id: tag.slice(0, 80) });

/** The scripts of shape tags, and the presets that the release brings. */
export function presetRoutes(parts: TranscodingParts): readonly Route[] {
  const { store, limits } = parts;

  const tag: PathEntity<string> = {
    kind: 'shape-tag',
    async find(name) {
      if (await findTag(store, { name })) return name;
      throw noSuchTag(name);
    },
    stays: (name) => tagMustExist(name, noSuchTag(name)),
  };
  /** The script of the tag. 404 if it has none. */
  async function scriptOf(tag: string): Promise<string> {
    const row = await findScript(store, { tag });
    if (row) return row.script;
    throw noScript(tag);
  }

  async function missingTemplates(): Promise<readonly Statement[]> {
    const changes: Statement[] = [];
    for (const [name, preset] of Object.entries(templates)) {
      const document = JSON.stringify(preset);
      const tagRow = await findTag(store, { name });
      if (tagRow?.document !== document) changes.push(putTemplate({ name, document }));
    }
    const tagRows = await Promise.all(Object.keys(defaultTags).map((name) => findTag(store, { name })));
    return tagRows.includes(undefined) ? [...changes, ...defaultTagRows()] : changes;
  }

  return [
    route({
      method: 'GET',
      path: onScript,
      says: 'The script of a shape tag.',
      entities: { tag },
      answers: 'text',
      access: read,
      handle: (_call, { tag }) => scriptOf(tag),
    }),
    route({
      method: 'PUT',
      path: onScript,
      says: 'Sets the script of a shape tag. It runs before each transcoding and can change the preset.',
      entities: { tag },
      reads: textOf(maxScriptLength),
      access: write,
      acting: 'allowed',
      handle: (call, { tag }) => call.commit(changing(putScript({ tag, script: call.body }))),
    }),
    route({
      method: 'DELETE',
      path: onScript,
      says: 'Deletes the script of a shape tag.',
      entities: { tag },
      access: write,
      acting: 'allowed',
      async handle(call, { tag }) {
        await scriptOf(tag);
        await call.commit(changing(removeScript({ tag })));
      },
    }),
    route({
      method: 'GET',
      path: '/shape-tag/:tag/item/:item/shape/:shape',
      says: 'The preset of a shape tag after its script has run on a shape.',
      query: { job: text('Accepted for older clients: the script gets no job data') },
      entities: { tag, ...shapesAt(store).shape('READ') },
      answers: transcodePresetDocument,
      access: read,
      async handle(call, { tag, shape }) {
        try {
          const about = { shape, data: [], askerFor: () => askerOf(call) };
          const evaluated = existing(await evaluatePreset(store, tag, about, limits), noSuchTag, tag);
          return evaluated.preset;
        } catch (error) {
          if (!(error instanceof ScriptFails)) throw error;
          const explanation = `Expected the script to end: ${error.message}`;
          throw new ServiceError('bad-value', { context: 'script', id: tag, explanation });
        }
      },
    }),
    route({
      method: 'PUT',
      path: '/APIinit/preset-templates',
      says: 'Creates the presets of the release, whose names begin with two underscores, and "lowres" if it is missing.',
      // Public like all of /APIinit. The caller has no influence, and a repetition has no effect.
      access: anybody,
      acting: 'allowed',
      async handle(call) {
        const changes = await missingTemplates();
        if (changes.length > 0) {
          await store.commit({ changes, events: [] }, { ...systemActor, requestId: call.trace.id });
        }
      },
    }),
  ];
}
