import { type SentPicture, type WholePicture, wholePicture } from './whole-picture.ts';

/** Program of the thread that reads pictures to their end. */
export const run = ({ bytes }: SentPicture): Promise<WholePicture | string> => wholePicture(bytes);

/** A picture that is not whole is an answer. */
export const isFailure = (): boolean => false;
