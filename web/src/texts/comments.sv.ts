import type { commentsEn } from './comments.en.ts';

export const commentsSv: Readonly<Record<keyof typeof commentsEn, string>> = {
  'comments.title': 'Kommentarer',
  'comments.none': 'Ingen har kommenterat än.',
  'comments.comment': 'Kommentera',
  'comments.text': 'Text',
  'comments.assignedTo': 'Tilldelad (namn på en användare)',
  'comments.at': 'Vid {time}',
  'comments.part': 'Del av bilden',
  'comments.partNote': 'Rita den på bilden.',
  'comments.partKeys': 'Del av bilden: pilarna flyttar den, med Skift ändrar de storleken',
  'comments.goTo': 'Gå till den här tiden',
  'comments.for': 'För {user}',
  'comments.open': 'Öppen',
  'comments.done': 'Klar',
  'comments.reply': 'Svara',
  'comments.replies': 'Svar',
  'comments.delete': 'Ta bort kommentaren av {user}',
  'comments.deleteTitle': 'Ta bort kommentaren och dess svar',
  'comments.marks': 'Kommentarer över tiden',
  'comments.count': '{count|en kommentar|# kommentarer}',
  'comments.markers': 'Markörer för redigering:',
};
