import { dateText } from '../../texts/index.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** Day and time of a moment here. No time: the whole day, from its beginning, or to its end. */
export function dayAndTime(moment: string | undefined, isEnd: boolean): readonly [day: string, time: string] {
  const date = new Date(moment ?? '');
  if (Number.isNaN(date.getTime())) return ['', ''];
  const isWhole = date.getHours() + date.getMinutes() + date.getSeconds() === 0;
  if (isWhole && isEnd) date.setDate(date.getDate() - 1);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return [day, isWhole ? '' : `${two(date.getHours())}:${two(date.getMinutes())}`];
}

/** The moment that a day and a time mean here. Undefined: there is no day. */
export function momentOf(day: string, time: string, isEnd: boolean): string | undefined {
  if (day === '') return undefined;
  const date = new Date(`${day}T${time || '00:00'}`);
  if (time === '' && isEnd) date.setDate(date.getDate() + 1);
  return date.toISOString();
}

/** A bound of terms in words: a day, or a day and a time. */
export function boundWords(moment: string | undefined, isEnd: boolean): string {
  const [day, time] = dayAndTime(moment, isEnd);
  if (day === '') return '';
  return dateText(new Date(`${day}T${time || '00:00'}`), { dateStyle: 'medium', ...(time && { timeStyle: 'short' }) });
}
