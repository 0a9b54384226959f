export { createProperties, type Properties } from './properties/values.ts';
