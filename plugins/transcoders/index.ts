export { encodesOf } from './abilities.ts';
export { convert, type MediaLibrary, secondsOf } from './convert.ts';
export { containerNames } from './names.ts';
export { pictures } from './pictures.ts';
export { type Encodes, type Plan, planOf } from './plan.ts';
