import type { Catalogue } from '../index.ts';

export const rules: Catalogue['rules'] = {
  title: 'Las reglas',
  tagline: 'Ajedrez para cuatro en un tablero en cruz, como venía en 1987 con el juego Dilkel Checkmates. Si sabes cómo se mueven las piezas, ya sabes casi todo.',
  contents: 'En esta página',
  step: (step, all) => `Paso ${step} de ${all}`,
  back: 'Atrás',
  next: 'Siguiente',
  startOver: 'Volver a empezar',
  showMe: 'Mostrar',
  right: 'Correcto.',
  legalButWrong: 'Es legal, pero no es lo que buscamos. Prueba otra vez.',
  tryOnAnalysisBoard: 'Pruébalo en el tablero de análisis',
  pieceHeading: 'Pieza',
  worthHeading: 'Valor aproximado',

  chapters: {
    game: {
      title: 'El juego',
      text: [
        'Cuatro ejércitos rodean un tablero: las rojas al sur, las azules al oeste, las amarillas al norte y las verdes al este. Cada jugador se enfrenta a los otros tres. No hay compañeros.',
        'Un sorteo decide quién empieza. Después se juega en el sentido de las agujas del reloj, una jugada cada uno. Quien recibe mate, se rinde o se queda sin tiempo queda eliminado, y todo su ejército deja el tablero. Gana el último que queda.',
        'El tablero tiene catorce por catorce casillas sin las cuatro esquinas. Una esquina que falta es un borde como cualquier otro.',
      ],
    },
    pieces: {
      title: 'Cómo se mueven las piezas',
      text: [
        'Las piezas se mueven como en el ajedrez normal; solo que el tablero es más grande y tiene más bordes. Puedes capturar piezas de cualquiera de los otros tres.',
        'El rey nunca se captura. No puedes dejar tu propio rey en jaque, lo ataque quien lo ataque.',
      ],
    },
    pawns: {
      title: 'Peones',
      text: [
        'Tus peones se alejan en línea recta de tu lado del tablero: los rojos hacia arriba, los azules a la derecha, los amarillos hacia abajo y los verdes a la izquierda. Capturan una casilla en diagonal hacia delante. Desde su casilla inicial, un peón puede avanzar dos pasos.',
        'Un peón que llega a la primera fila de cualquiera de los otros tres corona al instante. Siempre puedes elegir una dama. Una torre, un alfil o un caballo tienen que salir de tu reserva: tus propias piezas capturadas. Si la reserva está vacía, corona dama.',
        'La captura al paso solo vale entre jugadores que están enfrente: rojas y amarillas, azules y verdes. El jugador que está en medio mueve antes y puede impedirla.',
      ],
    },
    castling: {
      title: 'Enroque',
      text: [
        'Tu dama está siempre a la derecha de tu rey. Por eso el enroque corto va a la izquierda, con dos casillas entre rey y torre, y el largo a la derecha, con tres.',
        'El rey avanza dos casillas hacia la torre, y la torre pasa a la casilla que el rey ha cruzado. Ninguno de los dos puede haberse movido, no puede haber nada entre ellos, y el rey no puede estar en jaque, ni pasar por una casilla atacada ni llegar a ella.',
      ],
    },
    check: {
      title: 'Jaque y mate',
      text: [
        'Varios jugadores pueden atacar a un rey a la vez, y varios reyes pueden estar en jaque al mismo tiempo. Todos lo ven junto a los asientos; solo quien tiene el turno debe responder.',
        'El mate se decide cuando le llega el turno al jugador amenazado, no antes. Hasta entonces los demás pueden ayudarle, queriendo o sin querer. Si entonces no tiene salida, queda eliminado: todas sus piezas se retiran, y al siguiente jugador se le juzga con el tablero que queda. Así, un mate puede traer otro, o terminar con un jaque.',
      ],
    },
    end: {
      title: 'Cómo termina',
      text: [
        'El último jugador que queda es el primero; los demás le siguen en el orden inverso de su eliminación.',
        'Si quien tiene el turno no tiene jugadas legales y no está en jaque, hay ahogado: toda la partida es tablas para los que siguen en juego, y comparten el mejor puesto que queda. Ten cuidado con un jugador al que solo le queda el rey.',
        'También hay tablas si todos están de acuerdo, si nadie puede ya dar mate, si una posición se da por tercera vez, o tras 50 jugadas de cada uno sin mover un peón, sin capturas y sin eliminados. Las dos últimas las reclama quien tiene el turno, o llegan solas si la mesa lo dice.',
        'Rendirse y quedarse sin tiempo cuentan al instante, sea de quien sea el turno.',
      ],
    },
    hints: {
      title: 'Para tus primeras partidas',
      text: [
        'Los alfiles y las damas llegan lejos en este tablero. Un alfil en una diagonal larga apunta a dos campos rivales, y los caballos tardan en llegar a cualquier parte: el valor de las piezas cambia un poco.',
      ],
      list: [
        'Tres rivales mueven antes de que vuelvas a mover. Antes de soltar una pieza, piensa qué podría hacer cada uno de los tres con esa casilla.',
        'No seas el primero en cambiar damas: dos jugadores pierden algo, y los otros dos se alegran.',
        'Vigila al jugador de tu izquierda. Mueve justo después de ti, y tú eres el último en responderle.',
        'Conserva algunos peones delante de tu rey. Los ataques llegan también por los lados.',
        'Un ejército tranquilo vive mucho. El que acaba de pelear es el próximo objetivo de los demás.',
        'Una torre capturada no está perdida: un peón que llega al otro lado la recupera.',
      ],
    },
    classic: {
      title: 'Ajedrez clásico',
      text: [
        'En Quadrex también se juega al ajedrez de dos, con las reglas que todos conocen: empiezan las blancas, un peón que llega al final corona dama, torre, alfil o caballo a elección, el jaque mate termina la partida, y quien no puede mover sin estar en jaque consigue tablas por ahogado.',
      ],
    },
    source: {
      title: 'De dónde vienen las reglas',
      text: [
        'El juego para cuatro sigue la hoja de reglas que venía con Dilkel Checkmates 150 en 1987. Donde la hoja calla, consultamos otras hojas de su época y las leyes del ajedrez, y anotamos lo que decidimos. Dilkel compacto es el mismo juego en una cruz más pequeña, de 128 casillas.',
      ],
    },
  },

  lessons: {
    start: {
      title: 'El comienzo',
      tasks: { 0: 'Avanza dos pasos el peón de la dama roja.' },
      captions: [
        'En cada ejército, la dama está a la derecha del rey. Un cuarto de vuelta del tablero no cambia nada.',
        'Aquí empiezan las rojas, con dos pasos de un peón.',
        'El turno sigue las agujas del reloj: ahora mueven las azules.',
        'Después, las amarillas.',
        'Luego las verdes, y otra vez las rojas.',
      ],
    },
    pieces: {
      title: 'Cinco piezas',
      captions: [
        'La torre va por filas y columnas, hasta donde nada le cierre el paso.',
        'El alfil va en diagonal. No puede cruzar una esquina que falta.',
        'La dama hace las dos cosas.',
        'El caballo salta: dos casillas en una dirección y una hacia el lado. Puede saltar por encima de una esquina que falta, pero no caer en ella.',
        'El rey va a una casilla vecina, nunca a una que alguien ataque.',
      ],
    },
    pawns: {
      title: 'El camino de un peón',
      tasks: { 0: 'Avanza dos pasos.', 2: 'Captura el peón amarillo.' },
      captions: [
        'Desde su casilla inicial, un peón puede avanzar uno o dos pasos.',
        'Avanzó dos.',
        'Ahora puede seguir recto o capturar en diagonal.',
        'Captura: un peón nunca captura lo que tiene delante.',
      ],
    },
    promotion: {
      title: 'Coronación desde la reserva',
      tasks: { 0: 'Captura la torre y corona un caballo.' },
      captions: [
        'El peón rojo está a un paso de la primera fila de las azules: puede capturar la torre de la esquina. Las rojas han perdido un alfil y un caballo.',
        'Captura la torre y corona un caballo, que sale de la reserva. También podía ser dama; torre no, porque las rojas no han perdido ninguna.',
        'El rey azul se aparta. La torre azul está ahora en la reserva de las azules, hasta que un peón azul la recupere.',
      ],
    },
    'en-passant': {
      title: 'Captura al paso',
      tasks: { 2: 'Captura al paso el peón rojo.' },
      captions: [
        'El peón rojo va a avanzar dos pasos, junto a casillas que atacan un peón azul y uno amarillo.',
        'Ahora mueven las azules. Su peón ataca la casilla cruzada, pero las azules son vecinas de las rojas: no pueden capturar al paso.',
        'Las amarillas están enfrente. Su peón puede ir a la casilla cruzada y capturar el peón rojo, ahora o nunca.',
        'Capturado al paso.',
      ],
    },
    check: {
      title: 'Jaque de dos jugadores',
      tasks: { 3: 'Saca al rey rojo de los dos jaques.' },
      captions: [
        'El rey rojo está al descubierto, y mueven las azules.',
        'La torre azul da jaque. Todavía no es el turno de las rojas.',
        'Las amarillas juegan en otra parte.',
        'El alfil verde también da jaque. Ahora las rojas deben escapar de los dos a la vez: quedan cuatro casillas.',
        'Hecho.',
      ],
    },
    saved: {
      title: 'Salvado por otro',
      tasks: { 0: 'Da jaque al rey amarillo con la torre en j6.', 1: 'Juegas con las azules: salva al rey amarillo con tu alfil, en d9.' },
      captions: [
        'Las rojas van a dar jaque al rey amarillo en la esquina de su brazo.',
        'Las amarillas no podrían escapar. Pero antes mueven las azules: un alfil se interpone.',
        'Llega el turno de las amarillas, y no están en jaque. Incluso tienen una jugada.',
        'La partida sigue.',
      ],
    },
    mate: {
      title: 'Mate y eliminación',
      tasks: { 0: 'Da jaque con la torre en j6.' },
      captions: [
        'La misma posición. Las rojas van a dar el mismo jaque.',
        'Las amarillas no pueden escapar, pero aún no les toca: siguen en juego.',
        'Las azules no hicieron nada. Llegó el turno de las amarillas, era mate, y su ejército se fue. Mueven las verdes.',
      ],
    },
    stalemate: {
      title: 'Sin jugadas',
      tasks: { 0: 'Quita con la dama todas las casillas a las amarillas, sin dar jaque.' },
      captions: [
        'A las amarillas solo les queda el rey.',
        'La dama roja le quita todas las casillas, sin dar jaque.',
        'Llega el turno de las amarillas. No tienen jugadas y no están en jaque: toda la partida es tablas, para los cuatro.',
      ],
    },
    castling: {
      title: 'Corto y largo',
      tasks: { 0: 'Haz el enroque corto: dos casillas a la izquierda.' },
      captions: ['Los dos enroques son posibles: dos casillas a la izquierda, dos a la derecha.', 'El enroque corto.'],
    },
    classic: {
      title: 'Una partida corta',
      tasks: { 0: 'Avanza dos pasos el peón del rey blanco.', 2: 'Saca la dama a h5.', 4: 'Apunta con el alfil a f7, como la dama.', 6: 'Mate en una.' },
      captions: [
        'La posición inicial normal.',
        'Empiezan las blancas.',
        'Responden las negras.',
        'Una dama tempranera.',
        'Las negras desarrollan un caballo.',
        'Un alfil se une a la dama. Los dos apuntan al peón que está junto al rey.',
        'Las negras atacan la dama, y se les escapa algo.',
        'Mate: el rey no puede capturar, porque el alfil defiende la dama.',
      ],
    },
  },
};
