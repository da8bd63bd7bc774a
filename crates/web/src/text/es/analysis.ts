import type { Catalogue } from '../index.ts';
import { counted } from './amounts.ts';

export const analysis: Catalogue['analysis'] = {
  title: 'Análisis',
  loading: 'Preparando el tablero…',
  source: 'Posición inicial',
  paste: 'Posición o partida',
  pasteHint: 'Pega un FEN, FEN4, PGN o PGN4, o arrastra un archivo aquí',
  load: 'Cargar',
  openFile: 'Abrir archivo',
  unreadable: 'No es una posición ni una partida válida.',
  details: 'Detalles',
  moves: 'Jugadas',
  start: 'Inicio',
  moveHint: 'Mueve cualquier pieza del bando que tiene el turno.',
  promote: 'Promover variante',
  removeMove: 'Borrar jugada',
  removeLine: 'Borrar desde aquí',
  exportTitle: 'Exportar',
  position: (format) => `Posición (${format})`,
  link: 'Enlace a esta posición',
  copy: 'Copiar',
  showLine: (format) => `Mostrar la variante en ${format}`,
  copyLine: (format) => `Copiar el ${format}`,
  navigation: 'Recorrer las jugadas',
  toEnd: 'Ir al final de la variante',
  stopped: (line, column, word, why) =>
    `No se pudo leer la partida hasta el final: línea ${line}, columna ${column}, «${word}»: ${why}`,
  moreGames: (count) => `El texto contiene ${counted(count, { one: 'partida', other: 'partidas' })} más; esta es la primera.`,
  result: (result) => `Resultado en el archivo: ${result}`,
};
