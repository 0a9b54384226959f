export { mustHaveShapes, mustHaveTags, shapesAllowed, shapesToRead } from './allowed.ts';
export {
  approvalHook,
  mayLeave,
  mustBeApproved,
  notApproved,
  type ReviewedShape,
  refusedShapes,
} from './approval.ts';
export { bytesOfComponent, bytesOfShape } from './byte-routes.ts';
export { commitShapes } from './change.ts';
export { isTagged, type ShapeChoice, shapeChoiceOf, shapeChoiceParameters, shapesChosen } from './choice.ts';
export {
  type ComponentKind,
  componentKinds,
  type ExpectedCounts,
  type ExpectedKind,
  expectedKinds,
  numbered,
} from './component-kinds.ts';
export { attachFile } from './components/rules.ts';
export { componentStatements, deleteShapes, newShape, type RetainedFiles } from './create.ts';
export { mimeTypesOf, shapeDocuments, shapeDocumentsFor, shapeParts } from './documents/from-rows.ts';
export { transcodePresetDocument } from './documents/transcode-preset.ts';
export { fileNameOf, ownNamesOf } from './download-name.ts';
export { bytesAhead, filesHaving, foreignFile, itemsWithFile, mayHaveBytes, mustHaveBytes } from './file-rights.ts';
export { mayMove, namesOfFile, otherwiseNamed } from './filenames-sql.ts';
export { adoptFiles, filesUnlocked } from './files.ts';
export {
  chosenShapes,
  idsOf,
  latestOf,
  latestShapes,
  loadShapes,
  loadShapesOf,
  type Shape,
  versionsFrom,
  withTags,
} from './load.ts';
export { originalNameOf } from './original-name.ts';
export { kindFull } from './placeholder-rules.ts';
export {
  componentPath,
  inTurnOfItem,
  itemFor,
  itemGone,
  readShapes,
  shapeAmong,
  shapeFor,
  shapeKind,
  shapePath,
  shapesAt,
  shapesPath,
  shapeWithParts,
  writeShapes,
} from './places.ts';
export { type ShapeNow, shapeNowHook } from './routes.ts';
export type { ShapeState } from './rules.ts';
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
  filesWithIdentity,
  fileUsable,
  findShape,
  findTag,
  hasNoShape,
  knownTags,
  removeComponent,
  removeUse,
  type ShapeRow,
  shapesNamed,
  shapeThere,
  tagMustExist,
  tagsOfShapes,
  useFile,
  writeComponent,
} from './store.ts';
export {
  currentValues,
  essenceFields,
  fieldsWithout,
  originalOf,
  type SystemFields,
  tagsAfter,
  tagsOf,
} from './system-fields.ts';
export { component, shape, shapeTagged } from './tables.ts';
export { requireTags, shapeTagKind } from './tags.ts';
export { noSuchVersion } from './version-copies.ts';
export { itemShapeWeights, shapeLots } from './weights-sql.ts';
