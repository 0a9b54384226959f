import { changedMeanwhile } from '../../../core/lib/retry-when-changed.ts';
import { changing, together } from '../../../core/store/commit-plan.ts';
import type { CommitPlan, Statement } from '../../../core/store/contract.ts';
import { keyValuesOf } from '../../../room/entities/key-values/store.ts';
import type { Caller } from '../../../security/caller.ts';
import type { MetadataContext } from '../../metadata/public.ts';
import { mustHaveShapes } from '../allowed.ts';
import { commitShapes } from '../commit.ts';
import { newShape } from '../create.ts';
import { fieldsFollowing, originalOf } from '../essence.ts';
import { idsOf, latestOf, loadShapes, type Shape } from '../load.ts';
import { inTurnOfItem } from '../places.ts';
import { losingTo, sameShape } from '../rules.ts';
import { componentsOfShapes, filesOfShapes, versionFree } from '../store.ts';
import { taggedAlike, versionOfShape, versionTaken } from './rules.ts';

/** Selects the shapes of an item to be copied. */
export type Choose = (shapes: readonly Shape[]) => readonly Shape[];

/** Copies shapes of an item to another essence version: without a number, to the next one. */
export async function copyShapes(
  parts: MetadataContext,
  call: Caller,
  itemId: string,
  choose: Choose,
  wanted?: number,
): Promise<{ readonly version: number; readonly ids: readonly string[] }> {
  const { store } = parts;
  return inTurnOfItem(parts, itemId, async () => {
    const shapes = await loadShapes(store, itemId);
    const chosen = choose(shapes);
    const version = wanted ?? (latestOf(shapes) ?? 0) + 1;
    const losing = losingTo(shapes, { id: '', essenceVersion: version }, []);
    await mustHaveShapes(store, call, [...chosen, ...losing], 'WRITE');
    const copies = await copiesOf(parts, shapes, chosen, version);
    // Guards come first: two copied shapes may share a tag, which a guard after the first copy would refuse.
    const guards = chosen.flatMap((shape) => [...sameShape(shape), freeFor(shape, version)]);
    const work = together(changing(...guards), ...copies);
    // System fields follow a new original. Copies of the one already described change none.
    const [before, after] = [originalOf(shapes), originalOf(chosen)];
    const isOther = before && after && before.id !== after.id && version > before.essenceVersion;
    const fields = isOther ? await fieldsFollowing(parts, itemId, [before], after) : {};
    await commitShapes(parts, call, itemId, shapes, work, { grows: true, fields });
    return { version, ids: copies.map(({ id }) => id) };
  });
}

const freeFor = ({ id, itemId, tags }: Shape, version: number): Statement =>
  versionFree({ itemId, version, tags: JSON.stringify(tags) }, changedMeanwhile('Shape', id));

const namesOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

async function copiesOf(parts: MetadataContext, shapes: readonly Shape[], chosen: readonly Shape[], version: number) {
  const { store } = parts;
  const ids = idsOf(chosen);
  const components = await componentsOfShapes(store, ids);
  const files = await filesOfShapes(store, ids);
  const metadata = await keyValuesOf(store, 'shape', namesOf(chosen));
  const componentMetadata = await keyValuesOf(store, 'component', namesOf(components));
  const copies: (CommitPlan & { readonly id: string })[] = [];
  for (const shape of chosen) {
    const other = taggedAlike(shapes, shape, version);
    if (other) throw versionTaken(other, version);
    const own = components.filter(({ shapeId }) => shapeId === shape.id);
    const wish = versionOfShape({ shape, components: own, files, metadata, componentMetadata }, version);
    copies.push(await newShape(parts, wish));
  }
  return copies;
}
