import { stem } from './stem.ts';

const listOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** Small words that carry no topic: a pattern may leave them out or write them, they are never asked for. */
export const emptyWords: ReadonlySet<string> = new Set(
  listOf(
    `a an the of in to on at for with by and or but so as is are was were be been being am do did does you your yours i
     me my we us our it its this that these those there have had has having will would could should can may might
     shall please just also then than if any some about from into tell ask let really actually exactly more little bit
     kindly maybe perhaps well okay ok thing things something anything everything sure like get she he they them her him
     his their what which not no nor yes one ones whether such too very quite through during while within ms mr
     mrs dr sir madam yourself himself herself myself ourselves itself themselves oneself lot got gets getting gotten having`,
  ),
);

/** Words that frame a question, whatever it is about: nothing is lost when nobody explains them. */
export const framingWords: ReadonlySet<string> = new Set(
  listOf(
    `describe explain share specify state clarify elaborate outline summarise confirm note verify check quote spell
     give know known understand understanding learn remember recall mean word term sentence moment time detail
     details information info exact precise rough approximate specific particular certain sure possible possibility
     possibly probable likely chance idea mind wonder curious curiosity interested interest simple brief clear correctly
     honest frank complete full fully ever yet still already currently now today present moment question answer
     file record form note notes system claim case paper-trail thank thanks sorry good hello hi kind nice happy glad
     grateful appreciate much many enough all both either each every whole around near roughly main mainly overall
     concerned concerning regarding regard respect best able let quick quickly careful carefully
     reach meantime meanwhile person anyone anybody someone somebody nobody everyone everybody somewhere anywhere nowhere be seem
     appear through exactly precisely today gone going`,
  ).map(stem),
);

/** Words of everyday use that hardly change what is asked. */
export const lightWords: ReadonlySet<string> = new Set(
  listOf(
    `go come take say tell told talk speak hear give make put keep bring turn start see look find feel use want need call leave hold show become deal
     think believe other different first second last new again up down out off over back only even day days
     days week weeks part kind type sort point way side unusual normal usual usually always often sometimes lately
     recently since until before after between because without most mostly least less same own end help experience
     notice noticed nothing never none today someone person people something further additional extra per time times
     hour hours minute minutes general life far long short big large high low great serious severe difficult easy hard
     happen try matter short meant originally process property area place situation current present affected affect involve involved connection related relate arrange set run
     move done act stand sit estimate instance example status established establish bring brought over under above
     below few several here ideally handy attention inconvenience dear love top couple name date number figure two three four five six seven eight nine eleven twelve
     fifteen twenty thirty forty fifty hundred thousand million dozen half more fewer less than above below`,
  ).map(stem),
);
