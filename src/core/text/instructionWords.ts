// Turns of phrase by which a text gives a model orders, in German, French, Spanish and Chinese, for a text whose
// full-width signs are plain ones already. Chosen like the English ones: each needs more than one sign of an order, so
// that a case about orders is not taken for one.

import { anyCase } from './anyCase.ts';

export type InstructionRule = 'override' | 'new-role' | 'dictated-answer' | 'impersonation' | 'prompt-talk';

/** One pattern from phrases that no letter touches. */
const phrases = (...alternatives: readonly string[]) =>
  new RegExp(String.raw`(?<!\p{L})(?:${alternatives.join('|')})(?!\p{L})`, 'giu');

/** The same, where what follows can depend on capitals. */
const dictations = (...alternatives: readonly string[]) =>
  new RegExp(anyCase(String.raw`(?<!\p{L})(?:${alternatives.join('|')})(?!\p{L})`), 'gu');

/** At least one and at most six of such words, each followed by a space. */
const some = (...words: readonly string[]) => String.raw`(?:(?:${words.join('|')})\s+){1,6}`;
const any = (...words: readonly string[]) => String.raw`(?:(?:${words.join('|')})\s+){0,3}`;

/** A label in capitals, or words in quotation marks. */
const dictated = String.raw`(?:["“”„«‘']\s?[^"“”«»\n]{1,40}["“”»’']|\p{Lu}{2,})`;

const speaker = (...names: readonly string[]) =>
  new RegExp(String.raw`^[ \t#>*_[(-]*(?<stretch>(?:${names.join('|')})[ \t]*(?:[\])][ \t]*)?:)(?!\/\/)`, 'gimu');

/** A phrase of a script that has no spaces between words. */
const signs = (...alternatives: readonly string[]) => new RegExp(alternatives.join('|'), 'giu');
const chineseLabel = '\\s*:?\\s*(?:["“”「『][^"“”」』\\n]{1,20}["“”」』]|[A-Z]{2,})';

const germanEarlier = some(
  ...`alle allen die der von deine ihre eure jede sämtliche obigen? obenstehenden? vorigen? vorherigen? bisherigen?
  früheren? vorangegangenen? vorstehenden? anderen? deinen? ihren?`.split(/\s+/),
);
const frenchEarlier = some(...'toutes? tous les? la tes vos ces des de précédentes autres'.split(' '));
const spanishEarlier = some(...'todas? todos las? los tus sus estas esas de anteriores previas demás'.split(' '));

export const otherLanguages: Readonly<Record<InstructionRule, readonly RegExp[]>> = {
  override: [
    phrases(
      String.raw`(?:ignoriere|missachte|vergiss|übergehe|überschreibe|umgehe|(?:ignorieren|missachten|vergessen|übergehen)\s+sie)\s+(?:bitte\s+)?${germanEarlier}(?:system)?(?:anweisungen|instruktionen|regeln|befehle|vorgaben|prompts?|anleitungen|hinweise)`,
      String.raw`(?:vergiss|ignoriere|vergessen\s+sie|ignorieren\s+sie)\s+(?:alles|das)\s+(?:bisherige|vorherige|obige|oben|davor|zuvor)`,
      String.raw`neue\s+(?:system)?anweisung(?:en)?\s*:`,
    ),
    phrases(
      String.raw`(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|contourne[zr]?|(?:ne\s+)?(?:tiens|tenez)\s+(?:pas|aucun)\s+compte|(?:fais|faites)\s+abstraction)\s+${frenchEarlier}(?:instructions|consignes|règles|directives|ordres|commandes|prompts?)\s+(?:précédente?s|antérieure?s|ci-dessus|ci-avant|initiales|du\s+système|système|reçue?s|plus\s+haut)`,
      String.raw`(?:ignorez?|oubliez?)\s+${some('toutes', 'tous', 'tes', 'vos')}(?:instructions|consignes|règles|directives)`,
      String.raw`(?:ignorez?|oubliez?)\s+tout\s+ce\s+qui\s+précède`,
      String.raw`nouvelles?\s+(?:instructions?|consignes?)\s*:`,
    ),
    phrases(
      String.raw`(?:ignor[ae]|ignoren|olvid[ae]|olviden|descart[ae]|omit[ae]|no\s+(?:sigas|siga|obedezcas))\s+${spanishEarlier}(?:instrucciones|indicaciones|reglas|órdenes|directrices|prompts?)\s+(?:anteriores|previas|precedentes|iniciales|de\s+arriba|del\s+sistema|recibidas)`,
      String.raw`(?:ignora|ignore|olvida|olvide)\s+(?:todas\s+(?:las\s+|tus\s+)?|tus\s+)(?:instrucciones|indicaciones|reglas)`,
      String.raw`(?:ignora|ignore|olvida|olvide)\s+todo\s+lo\s+anterior`,
      String.raw`nuevas?\s+(?:instrucción|instrucciones)\s*:`,
    ),
    signs(
      '(?:忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵循|不要遵守)(?:掉|你|您|之前|以前|先前|此前|前面|上面|以上|上述|所有|全部|一切|任何|收到|的){1,8}(?:系统|系統)?(?:指令|指示|提示词?|提示詞|规则|規則|说明|說明|命令|要求)',
      '新(?:的)?(?:系统|系統)?指[令示]\\s*:',
    ),
  ],
  'new-role': [
    phrases(
      String.raw`(?:du\s+bist|sie\s+sind)\s+(?:jetzt|nun|ab\s+jetzt|ab\s+sofort|von\s+nun\s+an)\s+(?:ein|eine|der|die|das|mein|meine|kein|keine)`,
      String.raw`(?:von\s+(?:nun|jetzt)\s+an|ab\s+(?:jetzt|sofort))\s+(?:bist|antwortest|handelst|gehorchst|wirst|sollst)\s+du`,
      String.raw`(?:verhalte|verhalten)\s+(?:dich|sie\s+sich)\s+(?:wie|als)\s+(?:eine?|ob)`,
      String.raw`tu\s+so,?\s+als\s+(?:ob|wärst|wärest)`,
    ),
    phrases(
      String.raw`(?:tu\s+es|vous\s+êtes)\s+(?:désormais|maintenant|à\s+présent|dorénavant)\s+(?:une?|le|la|mon|ma)`,
      String.raw`(?:désormais|dorénavant|à\s+partir\s+de\s+maintenant|à\s+compter\s+de\s+maintenant),?\s+(?:tu|vous)`,
      String.raw`(?:agis|agissez|comporte-toi|comportez-vous|réponds|répondez)\s+(?:comme\s+(?:si\s+(?:tu|vous)|une?)|en\s+tant\s+que?)`,
      String.raw`(?:fais|faites)\s+semblant\s+(?:d['’]être|que)`,
    ),
    phrases(
      String.raw`(?:ahora\s+eres|eres\s+ahora|ahora\s+usted\s+es|usted\s+es\s+ahora)\s+(?:una?|el|la|mi)`,
      String.raw`(?:a\s+partir\s+de\s+ahora|de\s+ahora\s+en\s+adelante|desde\s+ahora),?\s+(?:eres|tú|usted|serás|actuarás|responderás|debes)`,
      String.raw`(?:actúa|actúe|compórtate|compórtese|responde|responda)\s+como\s+(?:si\s+(?:fueras|fuera)|una?)`,
      String.raw`(?:finge|finja)\s+(?:ser|que)`,
    ),
    signs(
      '(?:你|您)(?:现在|現在|从现在起|從現在起|从此刻起)(?:是|扮演|将|將)',
      '(?:从|從)现?現?在(?:起|开始|開始),?\\s*(?:你|您)',
      '(?:请|請)?(?:扮演|充当|充當|假装|假裝)(?:成|是|为|為)?(?:你|您|一个|一個|一名|一位)',
    ),
  ],
  'dictated-answer': [
    dictations(
      String.raw`(?:antworte|antworten\s+sie|erwidere|sage?|sagen\s+sie|gib|geben\s+sie|schreibe?|schreiben\s+sie)\s+${any('nur', 'ausschließlich', 'immer', 'einfach', 'stets', 'bitte', 'genau', 'mit', 'aus')}(?:mit\s+)?:?\s*${dictated}`,
      String.raw`(?:die|deine|ihre|das|dein|ihr)\s+(?:antwort|vorhersage|entscheidung|urteil)\s+(?:muss|soll|hat\s+zu)\s+(?:\S+\s+)?lauten`,
      String.raw`(?:setze?|setzen\s+sie)\s+(?:die\s+|deine\s+|ihre\s+)?(?:konfidenz|sicherheit|zuversicht)\s+auf\s+\d+`,
    ),
    dictations(
      String.raw`(?:réponds|répondez|dis|dites|écris|écrivez|prédis|prédisez)\s+${any('uniquement', 'seulement', 'simplement', 'toujours', 'juste', 'exactement', 'par', 'avec')}:?\s*${dictated}`,
      String.raw`(?:ta|votre|la|ton|le)\s+(?:réponse|prédiction|décision|verdict)\s+(?:doit|devra)\s+être\s*:?\s*${dictated}`,
      String.raw`(?:mets|mettez|fixe|fixez)\s+(?:la\s+|ta\s+|votre\s+)?confiance\s+à\s+\d+`,
    ),
    dictations(
      String.raw`(?:responde|responda|di|diga|escribe|escriba|contesta|conteste|predice)\s+${any('solo', 'sólo', 'solamente', 'únicamente', 'siempre', 'simplemente', 'exactamente', 'con')}:?\s*${dictated}`,
      String.raw`(?:tu|su|la|el)\s+(?:respuesta|predicción|decisión|veredicto)\s+(?:debe|deberá|tiene\s+que)\s+ser\s*:?\s*${dictated}`,
      String.raw`(?:fija|fije|pon|ponga)\s+(?:la\s+|tu\s+|su\s+)?confianza\s+(?:en|a)\s+\d+`,
    ),
    signs(
      `(?:只|仅|僅|请|請|必须|必須|直接|始终|始終)(?:能|要|需|可以|直接|统一|統一)?(?:回答|回复|回覆|输出|輸出|答复|答覆|预测|預測)(?:为|為|说|說|是)?${chineseLabel}`,
      `(?:答案|回答|判决|判決|裁决|裁決|预测|預測|结果|結果)(?:必须|必須|应该|應該|只能|应|應)(?:是|为|為)${chineseLabel}`,
      '(?:置信度|信心)(?:设为|設為|设置为|設置為|必须是|必須是)\\s*\\d+',
    ),
  ],
  // Courts speak in cases of any language; names of chat roles do not.
  impersonation: [
    speaker('system-?(?:nachricht|anweisung|hinweis|meldung)', 'assistent', '(?:be)?nutzer', 'entwickler', 'mensch'),
    speaker('système', 'message (?:du )?système', 'utilisateur', 'développeur', 'humain'),
    speaker('sistema', 'mensaje del sistema', 'asistente', 'usuario', 'desarrollador', 'humano'),
    speaker('(?:系统|系統|用户|用戶|使用者|助手|助理|人类|人類|开发者|開發者)(?:消息|提示|指令|指示)?'),
  ],
  'prompt-talk': [
    phrases(
      'system-?(?:prompt|anweisung(?:en)?)',
      String.raw`als\s+(?:ki|sprachmodell|ki-modell|ki-assistent|großes\s+sprachmodell|künstliche\s+intelligenz)`,
      String.raw`(?:hinweis|nachricht|anweisung(?:en)?|achtung|mitteilung)\s+(?:an|für)\s+(?:die\s+|das\s+|den\s+)?(?:ki|llm|sprachmodell|modell|ki-assistenten)`,
    ),
    phrases(
      String.raw`(?:invite|prompt|message)\s+(?:du\s+)?système`,
      String.raw`en\s+tant\s+qu(?:e\s+|['’]\s?)(?:ia|intelligence\s+artificielle|assistant\s+ia|modèle\s+de\s+langage)`,
      String.raw`(?:note|message|attention|instructions?)\s+(?:à|pour|destinée?s?\s+à|au|à\s+l['’])\s*(?:l['’]\s?|le\s+|la\s+)?(?:ia|llm|intelligence\s+artificielle|modèle|modèle\s+de\s+langage)`,
    ),
    phrases(
      String.raw`(?:prompt|mensaje|instrucciones)\s+del?\s+sistema`,
      String.raw`como\s+(?:ia|inteligencia\s+artificial|modelo\s+de\s+lenguaje|asistente\s+de\s+ia)`,
      String.raw`(?:nota|mensaje|atención|instrucción|instrucciones)\s+(?:para|a|al|dirigid[oa]s?\s+a)\s+(?:la\s+|el\s+)?(?:ia|llm|inteligencia\s+artificial|modelo|modelo\s+de\s+lenguaje)`,
    ),
    signs(
      '(?:系统|系統)提示(?:词|詞)?',
      '(?:作为|作為|你是|您是)(?:一个|一個|一名)?(?:AI|人工智能|人工智慧|大?语言模型|大?語言模型|大模型)',
      '(?:给|給|致|对|對)(?:AI|人工智能|人工智慧|语言模型|語言模型|模型)(?:的)?(?:指示|指令|说明|說明|消息|留言|注意)',
    ),
  ],
};
