export { adoptFiles } from './adopt.ts';
export { mustHaveShapes, mustHaveTags, shapesAllowed, shapesToRead } from './allowed.ts';
export { bytesAhead, filesHaving, foreignFile, itemsWithFile, mayHaveBytes, mustHaveBytes } from './bytes/rights.ts';
export { filesWithIdentity } from './bytes/store.ts';
export { chosenShapes, versionsFrom } from './choose.ts';
export { commitShapes } from './commit.ts';
export { attachFile } from './components/rules.ts';
export { componentStatements, deleteShapes, newShape, type RetainedFiles } from './create.ts';
export { mimeTypesOf, shapeDocuments } from './documents/from-rows.ts';
export { transcodePresetDocument } from './documents/transcode-preset.ts';
export { currentValues, originalOf } from './essence.ts';
export type { ShapeState } from './events.ts';
export { mayMove, namesOfFile, otherwiseNamed } from './filenames/store.ts';
export { filesUnlocked } from './files.ts';
export {
  type ComponentKind,
  componentKinds,
  type ExpectedCounts,
  type ExpectedKind,
  expectedKinds,
  numbered,
} from './kinds.ts';
export { idsOf, latestOf, latestShapes, loadShapes, loadShapesOf, type Shape, withTags } from './load.ts';
export { originalNameOf } from './original-name.ts';
export { kindFull } from './placeholders/rules.ts';
export {
  componentPath,
  inTurnOfItem,
  itemFor,
  itemGone,
  read as readShapes,
  shapeAmong,
  shapeFor,
  shapeKind,
  shapePath,
  shapesAt,
  shapesPath,
  shapeWithParts,
  write as writeShapes,
} from './places.ts';
export {
  changeShape,
  importTags,
  itemFits,
  losingOriginal,
  losingTo,
  noSuchShape,
  noSuchTag,
  original,
  shapeEvent,
  takeOriginal,
  tooManyShapes,
} from './rules.ts';
export {
  type ComponentRow,
  componentsOfShapes,
  filesNamed,
  filesOfShapes,
  fileUsable,
  findShape,
  removeComponent,
  removeUse,
  shapesNamed,
  shapesOfItem,
  shapeThere,
  tagsOfShapes,
  useFile,
  writeComponent,
} from './store.ts';
export { essenceFields, fieldsWithout, type SystemFields, tagsAfter, tagsOf } from './system-fields.ts';
export { component, shape, shapeTagged } from './tables.ts';
export { requireTags, shapeTagKind } from './tags/kinds.ts';
export { findTag, knownTags, tagMustExist } from './tags/store.ts';
export { itemShapeWeights, shapeLots } from './weights-sql.ts';
