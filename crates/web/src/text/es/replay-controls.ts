import type { Catalogue } from '../index.ts';
import { counted } from './amounts.ts';

export const replayControls: Catalogue['replayControls'] = {
  title: 'Recorrer las jugadas',
  first: 'Ir al inicio',
  back: 'Jugada anterior',
  play: 'Reproducir las jugadas',
  stop: 'Detener',
  forward: 'Jugada siguiente',
  live: 'Ir a la posición actual',
  turn: 'Girar tablero',
  help: 'Atajos de teclado',
  openChat: 'Abrir el chat',
  start: (of) => `Inicio, de ${counted(of, { one: 'jugada', other: 'jugadas' })}`,
  after: (ply, of) => `Jugada ${ply} de ${of}`,
  toLive: 'Volver al vivo',
  missed: (count) => counted(count, { one: 'jugada nueva', other: 'jugadas nuevas' }),
};

export const keys: Catalogue['keys'] = {
  title: 'Atajos de teclado',
  onPage: 'En toda la página',
  onBoard: 'Con el foco en el tablero',
  pointer: 'Con el ratón',
  typed: 'En el campo de jugadas',
  names: {
    home: 'Inicio',
    end: 'Fin',
    space: 'Espacio',
    enter: 'Intro',
    shift: 'Mayús',
    remove: 'Supr',
    right: 'botón derecho',
    left: 'botón izquierdo',
  },
  effects: {
    step: 'Jugada anterior o siguiente',
    ends: 'Inicio, posición actual',
    play: 'Reproducir las jugadas',
    turn: 'Girar tablero',
    zen: 'Modo zen: solo el tablero',
    input: 'Ir al campo de jugadas',
    board: 'Ir al tablero',
    help: 'Esta ayuda',
    walk: 'Moverse entre casillas',
    row: 'Final de la fila',
    press: 'Coger o soltar una pieza',
    back: 'Cancelar',
    arrow: 'Empezar y terminar una flecha; dos veces en una casilla, un círculo',
    brush: 'Dibujar en rojo o azul; ambas, en amarillo',
    wipe: 'Borrar los dibujos',
    draw: 'Dibujar una flecha o rodear una casilla',
  },
};

export const zen: Catalogue['zen'] = {
  enter: 'Modo zen',
  leave: 'Salir del modo zen',
};
