export { configurationEvent } from './events.ts';
export { type Live, liveDocument, setDocument } from './live-document.ts';
export { setProperties } from './properties.ts';
export { documentAtRevision, findDocument, propertySchema, valuesInDocument } from './store.ts';
export { changeStored } from './stored-rules.ts';
