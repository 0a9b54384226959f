/** For the tests of plugins and of programs that embed the service: time and chance that a test owns. */
export { type ManualClock, manualClock } from './clock.ts';
export { seededRandom } from './random.ts';
