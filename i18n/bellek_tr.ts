<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="tr" sourcelanguage="en">
<context>
    <name>LocalModelsBox</name>
    <message>
        <source>Progress</source>
        <translation>İlerleme</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>This computer has {size} GB of memory.</source>
        <translation>Bu bilgisayarda {size} GB bellek var.</translation>
    </message>
    <message>
        <source>This computer has {size} GB of memory and {graphics} GB of graphics memory.</source>
        <translation>Bu bilgisayarda {size} GB bellek ve {graphics} GB ekran kartı belleği var.</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>İndir</translation>
    </message>
    <message>
        <source>By Ollama</source>
        <translation>Ollama ile</translation>
    </message>
    <message>
        <source>{action}: {model}</source>
        <translation>{action}: {model}</translation>
    </message>
    <message>
        <source>The model is here.</source>
        <translation>Model indi.</translation>
    </message>
</context>
<context>
    <name>BrowserPages</name>
    <message>
        <source>Added from the browser: {title}</source>
        <translation>Tarayıcıdan eklendi: {title}</translation>
    </message>
    <message>
        <source>Updated from the browser: {title}</source>
        <translation>Tarayıcıdan güncellendi: {title}</translation>
    </message>
</context>
<context>
    <name></name>
    <message>
        <source>Publish to project</source>
        <translation>Projede yayımla</translation>
    </message>
    <message>
        <source>Take back from project</source>
        <translation>Projeden geri çek</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notlar</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Tema</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Dil</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>Sistemle aynı</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Açık</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Koyu</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Dosya</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>Dü&amp;zenle</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Görünüm</translation>
    </message>
    <message>
        <source>&amp;Session</source>
        <translation>&amp;Oturum</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Araçlar</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Yardım</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
    <message>
        <source>New temporary session</source>
        <translation>Yeni geçici oturum</translation>
    </message>
    <message>
        <source>Compare answers…</source>
        <translation>Yanıtları karşılaştır…</translation>
    </message>
    <message>
        <source>Automatic depth</source>
        <translation>Otomatik derinlik</translation>
    </message>
    <message>
        <source>Quick answer</source>
        <translation>Hızlı yanıt</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Araştırma</translation>
    </message>
    <message>
        <source>Deep research (next question only)</source>
        <translation>Sıradaki soru için derin araştırma</translation>
    </message>
    <message>
        <source>Open a past session in a side panel</source>
        <translation>Geçmiş oturumu yan panelde aç</translation>
    </message>
    <message>
        <source>Continue this session</source>
        <translation>Bu oturumu sürdür</translation>
    </message>
    <message>
        <source>Import sessions…</source>
        <translation>Oturumları içe aktar…</translation>
    </message>
    <message>
        <source>Export everything in Bellek’s format…</source>
        <translation>Her şeyi Bellek biçiminde dışa aktar…</translation>
    </message>
    <message>
        <source>Back up the archive…</source>
        <translation>Arşivi yedekle…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>Yedeği geri yükle…</translation>
    </message>
    <message>
        <source>Lock the profile</source>
        <translation>Profili kilitle</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Çık</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Geri al</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Yinele</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Kes</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Yapıştır</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Tümünü seç</translation>
    </message>
    <message>
        <source>Find in this session</source>
        <translation>Bu oturumda bul</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>Sonrakini bul</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>Öncekini bul</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>Tüm oturumlarda ara</translation>
    </message>
    <message>
        <source>All results, with filters</source>
        <translation>Tüm sonuçlar, filtrelerle</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Kenar çubuğu</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Kaynaklar</translation>
    </message>
    <message>
        <source>Last request</source>
        <translation>Son istek</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>İz</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Yakınlaştır</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Uzaklaştır</translation>
    </message>
    <message>
        <source>Actual size</source>
        <translation>Gerçek boyut</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Tam ekran</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Gönder</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Yanıtı durdur</translation>
    </message>
    <message>
        <source>Go to the message field</source>
        <translation>Mesaj alanına git</translation>
    </message>
    <message>
        <source>Attach a past session to the question</source>
        <translation>Geçmiş oturumu soruya ekle</translation>
    </message>
    <message>
        <source>End session</source>
        <translation>Oturumu bitir</translation>
    </message>
    <message>
        <source>Next session</source>
        <translation>Sonraki oturum</translation>
    </message>
    <message>
        <source>Previous session</source>
        <translation>Önceki oturum</translation>
    </message>
    <message>
        <source>Go to the active session</source>
        <translation>Etkin oturuma git</translation>
    </message>
    <message>
        <source>Rename session</source>
        <translation>Oturumu yeniden adlandır</translation>
    </message>
    <message>
        <source>Pin session</source>
        <translation>Oturumu sabitle</translation>
    </message>
    <message>
        <source>Copy session</source>
        <translation>Oturumu kopyala</translation>
    </message>
    <message>
        <source>Summaries of older messages…</source>
        <translation>Eski mesajların özetleri…</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>Etiketler…</translation>
    </message>
    <message>
        <source>Delete session</source>
        <translation>Oturumu sil</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Kitaplık</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Hatırlananlar</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Genel bakış</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modeller</translation>
    </message>
    <message>
        <source>Add the sample sessions</source>
        <translation>Örnek oturumları ekle</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ayarlar</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Klavye kısayolları</translation>
    </message>
    <message>
        <source>Welcome…</source>
        <translation>Karşılama ekranı…</translation>
    </message>
    <message>
        <source>About Bellek</source>
        <translation>Bellek hakkında</translation>
    </message>
    <message>
        <source>Learn facts from session</source>
        <translation>Oturumdan bilgi öğren</translation>
    </message>
    <message>
        <source>Free space…</source>
        <translation>Yer aç…</translation>
    </message>
    <message>
        <source>Diary</source>
        <translation>Günlük</translation>
    </message>
    <message>
        <source>About this session</source>
        <translation>Bu oturum hakkında</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Komut paleti</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Geri</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>İleri</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Dışa aktar…</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Yazdır…</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>Hızlı soru</translation>
    </message>
    <message>
        <source>Merge with the previous session…</source>
        <translation>Bir öncekiyle birleştir…</translation>
    </message>
    <message>
        <source>User’s guide</source>
        <translation>Kullanım kılavuzu</translation>
    </message>
    <message>
        <source>New project…</source>
        <translation>Yeni proje…</translation>
    </message>
    <message>
        <source>Move to project…</source>
        <translation>Projeye taşı…</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>İstemler</translation>
    </message>
    <message>
        <source>Passphrase…</source>
        <translation>Parola…</translation>
    </message>
    <message>
        <source>Check and repair…</source>
        <translation>Denetle ve onar…</translation>
    </message>
    <message>
        <source>Compact session list</source>
        <translation>Oturumları tek satırda göster</translation>
    </message>
    <message>
        <source>Project page</source>
        <translation>Proje sayfası</translation>
    </message>
    <message>
        <source>Literature</source>
        <translation>Bilimsel yayınlar</translation>
    </message>
    <message>
        <source>Devices and sharing</source>
        <translation>Cihazlar ve paylaşım</translation>
    </message>
    <message>
        <source>Watched folders…</source>
        <translation>İzlenen klasörler…</translation>
    </message>
    <message>
        <source>Memory of another assistant…</source>
        <translation>Başka bir asistanın hatırladıkları…</translation>
    </message>
    <message>
        <source>Import a folder…</source>
        <translation>Klasörü içe aktar…</translation>
    </message>
    <message>
        <source>Write into a notes folder…</source>
        <translation>Not klasörüne yaz…</translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Bellek</source>
        <translation>Bellek hakkında</translation>
    </message>
    <message>
        <source>Version {version}</source>
        <translation>Sürüm {version}</translation>
    </message>
    <message>
        <source>A research assistant that remembers. “Bellek” is Turkish for memory. Your questions and answers stay on your own disk.</source>
        <translation>Hatırlayan bir araştırma asistanı. Sorduğun da aldığın yanıt da kendi diskinde kalır.</translation>
    </message>
    <message>
        <source>Free software under the MIT licence, without any warranty.</source>
        <translation>MIT lisanslı özgür yazılım. Hiçbir garanti verilmez.</translation>
    </message>
    <message>
        <source>Your data</source>
        <translation>Verilerin</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Düzenle</translation>
    </message>
    <message>
        <source>Split here</source>
        <translation>Buradan böl</translation>
    </message>
    <message>
        <source>Start a separate session with this question</source>
        <translation>Bu sorudan başlayan ayrı bir oturum açar</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>Bunu hatırla</translation>
    </message>
    <message>
        <source>Trace: how this answer was made</source>
        <translation>İz: bu yanıt için neler yapıldı</translation>
    </message>
    <message>
        <source>Good answer</source>
        <translation>İyi yanıt</translation>
    </message>
    <message>
        <source>Poor answer</source>
        <translation>Kötü yanıt</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Önceki sürüm</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Sonraki sürüm</translation>
    </message>
    <message>
        <source>{place}/{count}</source>
        <translation>{place}/{count}</translation>
    </message>
    <message>
        <source>Version {place} of {count}</source>
        <translation>{count} sürümden {place}.</translation>
    </message>
    <message>
        <source>Show all versions</source>
        <translation>Tüm sürümleri göster</translation>
    </message>
    <message>
        <source>Remember this message in later sessions</source>
        <translation>Sonraki oturumlarda da hatırlansın</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Yeniden yanıtla</translation>
    </message>
    <message>
        <source>What was good or bad? (optional)</source>
        <translation>Neresi iyi ya da kötüydü? (isteğe bağlı)</translation>
    </message>
</context>
<context>
    <name>ActiveMemoryPage</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n bilgi</numerusform>
        </translation>
    </message>
    <message>
        <source>about {tokens} tokens</source>
        <translation>yaklaşık {tokens} jeton</translation>
    </message>
    <message>
        <source>Facts sent with the next question</source>
        <translation>Sıradaki soruyla gönderilecek bilgiler</translation>
    </message>
    <message>
        <source>Nothing is sent because the session is temporary.</source>
        <translation>Oturum geçici olduğu için bir şey gönderilmez.</translation>
    </message>
    <message>
        <source>Nothing is sent because memory is turned off in Settings.</source>
        <translation>Hatırlama ayarlarda kapalı olduğu için bir şey gönderilmez.</translation>
    </message>
    <message>
        <source>There is nothing to send yet.</source>
        <translation>Henüz gönderilecek bir şey yok.</translation>
    </message>
    <message>
        <source>This text is added to the end of your next question. It is not saved with the question and is created again each time.</source>
        <translation>Bu metin sıradaki sorunun sonuna eklenir. Soruyla birlikte saklanmaz, her seferinde yeniden hazırlanır.</translation>
    </message>
</context>
<context>
    <name>AddWebPageDialog</name>
    <message>
        <source>Add a web page</source>
        <translation>Web sayfası ekle</translation>
    </message>
    <message>
        <source>Page address</source>
        <translation>Sayfanın adresi</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>İlerleme</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Ekle</translation>
    </message>
    <message>
        <source>Stopped before the whole page was read.</source>
        <translation>Sayfa sonuna kadar okunmadan durduruldu.</translation>
    </message>
    <message>
        <source>= {title}: already in the library</source>
        <translation>= {title}: zaten var</translation>
    </message>
    <message>
        <source>✓ {title}: added</source>
        <translation>✓ {title}: eklendi</translation>
    </message>
    <message>
        <source>Reading {host}…</source>
        <translation>{host} okunuyor…</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>Kap&amp;at</translation>
    </message>
    <message>
        <source>&amp;Turn on web access</source>
        <translation>&amp;Web’i aç</translation>
    </message>
    <message>
        <source>✓ {title}: updated</source>
        <translation>✓ {title}: değişmişti, yeniden okundu</translation>
    </message>
    <message>
        <source>Bellek reads the page once and keeps its text, so citations still work after the page changes or disappears.</source>
        <translation>Bellek sayfayı bir kez okur ve metnini saklar; sayfa değişse ya da silinse de atıflar yine açılır.</translation>
    </message>
    <message>
        <source>Web access is off, so Bellek does not connect to any website. If you turn it on, Bellek also uses it for questions that need it, until you turn it off in Settings.</source>
        <translation>Web kapalı olduğu için Bellek hiçbir siteye bağlanmıyor. Açarsan, ayarlardan kapatana dek sorularını yanıtlarken de gerektiğinde kullanır.</translation>
    </message>
</context>
<context>
    <name>Amounts</name>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} sn</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} dk</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} dk {seconds} sn</translation>
    </message>
    <message>
        <source>{number}k</source>
        <translation>{number} bin</translation>
    </message>
    <message>
        <source>{number}M</source>
        <translation>{number} Mn</translation>
    </message>
    <message>
        <source>&lt; ${number}</source>
        <translation>&lt; {number} $</translation>
    </message>
    <message>
        <source>${number}</source>
        <translation>{number} $</translation>
    </message>
</context>
<context>
    <name>AnnotatedCopyDialog</name>
    <message>
        <source>document</source>
        <translation>belge</translation>
    </message>
    <message>
        <source>Save a copy with notes</source>
        <translation>Notlu bir kopya kaydet</translation>
    </message>
</context>
<context>
    <name>AnswerCard</name>
    <message>
        <source>answering…</source>
        <translation>yanıtlanıyor…</translation>
    </message>
    <message>
        <source>You stopped this answer here.</source>
        <translation>Yanıtı burada durdurdun.</translation>
    </message>
    <message>
        <source>This answer was cut off when Bellek closed unexpectedly.</source>
        <translation>Bellek beklenmedik biçimde kapandığında yanıt burada kesildi.</translation>
    </message>
    <message>
        <source>The answer could not be finished.</source>
        <translation>Yanıt tamamlanamadı.</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Yeniden dene</translation>
    </message>
    <message>
        <source>Answer, {head}</source>
        <translation>Yanıt, {head}</translation>
    </message>
    <message>
        <source>Suggested questions</source>
        <translation>Önerilen sorular</translation>
    </message>
    <message>
        <source>Continue writing</source>
        <translation>Kaldığı yerden sürdür</translation>
    </message>
    <message>
        <source>The answer reached the model’s length limit.</source>
        <translation>Yanıt, modelin uzunluk sınırına ulaştı.</translation>
    </message>
    <message numerus="yes">
        <source>%n statement(s) contradicted by the source</source>
        <translation>
            <numerusform>%n ifade kaynağıyla çelişiyor</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statement(s) not in the source</source>
        <translation>
            <numerusform>%n ifade kaynağında yok</numerusform>
        </translation>
    </message>
    <message>
        <source>Write it again without these</source>
        <translation>Bunlar olmadan yeniden yaz</translation>
    </message>
</context>
<context>
    <name>AnswerComparison</name>
    <message>
        <source>The session goes on with the chosen answer.</source>
        <translation>Oturum seçilen yanıtla sürüyor.</translation>
    </message>
</context>
<context>
    <name>ArchiveController</name>
    <message>
        <source>There is no session before this one.</source>
        <translation>Bundan önce bir oturum yok.</translation>
    </message>
    <message>
        <source>“{second}” was merged into “{first}”.</source>
        <translation>“{second}”, “{first}” oturumuyla birleştirildi.</translation>
    </message>
    <message>
        <source>Saved to {file}.</source>
        <translation>{file} dosyasına yazıldı.</translation>
    </message>
    <message>
        <source>The sample sessions have already been added.</source>
        <translation>Örnek oturumlar zaten ekli.</translation>
    </message>
    <message>
        <source>“{title}” was deleted.</source>
        <translation>“{title}” silindi.</translation>
    </message>
    <message>
        <source>Show backups</source>
        <translation>Yedekleri göster</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were exported.</source>
        <translation>
            <numerusform>%n oturum dışa aktarıldı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Exporting %n session(s): {percent}% done.</source>
        <translation>
            <numerusform>%n oturum dışa aktarılıyor: %{percent} tamamlandı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n backup(s) may still contain what was deleted.</source>
        <translation>
            <numerusform>Silinenler %n yedekte hâlâ duruyor olabilir.</numerusform>
        </translation>
    </message>
    <message>
        <source>Export everything</source>
        <translation>Her şeyi dışa aktar</translation>
    </message>
    <message>
        <source>Export selected</source>
        <translation>Seçilenleri dışa aktar</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) unpinned.</source>
        <translation>
            <numerusform>%n oturumun sabitlemesi kaldırıldı.</numerusform>
        </translation>
    </message>
    <message>
        <source>Sessions of different projects cannot be merged.</source>
        <translation>Farklı projelerin oturumları birleştirilemez.</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) merged into “{first}”.</source>
        <translation>
            <numerusform>%n oturum “{first}” ile birleştirildi.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{title}” was split into two sessions.</source>
        <translation>“{title}” ikiye bölündü.</translation>
    </message>
    <message>
        <source>Searching this session for facts to remember.</source>
        <translation>Oturum, hatırlanacak bilgiler için okunuyor.</translation>
    </message>
    <message>
        <source>Bellek will search this session for facts once a model is connected.</source>
        <translation>Oturum, bir model bağlanınca hatırlanacak bilgiler için okunacak.</translation>
    </message>
    <message numerus="yes">
        <source>%n sample session(s) added.</source>
        <translation>
            <numerusform>Örnek oturumlar eklendi: %n oturum.</numerusform>
        </translation>
    </message>
    <message>
        <source>Renamed to “{title}”.</source>
        <translation>Adı “{title}” oldu.</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Klasörde göster</translation>
    </message>
    <message>
        <source>Append this session to “{title}”?</source>
        <translation>Bu oturum “{title}” oturumunun sonuna eklensin mi?</translation>
    </message>
    <message>
        <source>That session began earlier ({day}), so its messages come first.</source>
        <translation>O oturum bundan önce başladı ({day}), bu yüzden onun mesajları önde kalır.</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Birleştir</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) pinned.</source>
        <translation>
            <numerusform>%n oturum sabitlendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) deleted.</source>
        <translation>
            <numerusform>%n oturum silindi.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ArgumentsDialog</name>
    <message>
        <source>Arguments</source>
        <translation>Argümanlar</translation>
    </message>
    <message>
        <source>The tool gets exactly this, and nothing else.</source>
        <translation>Araca tam olarak bu gider, başka hiçbir şey gitmez.</translation>
    </message>
</context>
<context>
    <name>AttachButton</name>
    <message>
        <source>Folder…</source>
        <translation>Klasör…</translation>
    </message>
    <message>
        <source>Web page…</source>
        <translation>Web sayfası…</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Ekle</translation>
    </message>
    <message>
        <source>Add pictures and documents</source>
        <translation>Resim ve belge ekle</translation>
    </message>
    <message>
        <source>Picture or document…</source>
        <translation>Resim ya da belge…</translation>
    </message>
    <message>
        <source>Screenshot</source>
        <translation>Ekran görüntüsü</translation>
    </message>
    <message>
        <source>Documents for the library…</source>
        <translation>Kitaplığa belge…</translation>
    </message>
</context>
<context>
    <name>AttachmentController</name>
    <message>
        <source>Pasted picture</source>
        <translation>Yapıştırılan resim</translation>
    </message>
    <message>
        <source>Screenshot</source>
        <translation>Ekran görüntüsü</translation>
    </message>
    <message>
        <source>“{name}” is a folder: add it to the library, or attach its files.</source>
        <translation>“{name}” bir klasör: onu kitaplığa ya da dosyalarını tek tek ekle.</translation>
    </message>
    <message>
        <source>No screenshot was taken because the desktop did not allow it.</source>
        <translation>Ekran görüntüsü alınamadı: masaüstü izin vermedi.</translation>
    </message>
    <message>
        <source>The picture “{name}” no longer exists.</source>
        <translation>“{name}” adlı resim artık yok.</translation>
    </message>
</context>
<context>
    <name>AttachmentsDialog</name>
    <message>
        <source>Pictures and documents ({patterns})</source>
        <translation>Resimler ve belgeler ({patterns})</translation>
    </message>
    <message>
        <source>Add to the message</source>
        <translation>Mesaja ekle</translation>
    </message>
</context>
<context>
    <name>BackButton</name>
    <message>
        <source>Back to {page}</source>
        <translation>Geri: {page}</translation>
    </message>
</context>
<context>
    <name>BackupDialog</name>
    <message>
        <source>Back up the archive</source>
        <translation>Arşivi yedekle</translation>
    </message>
    <message>
        <source>Bellek’s archive (*.db)</source>
        <translation>Bellek arşivi (*.db)</translation>
    </message>
</context>
<context>
    <name>BudgetProgress</name>
    <message>
        <source>{taken} of {most}</source>
        <translation>{taken} / {most}</translation>
    </message>
    <message>
        <source>Stop and write the report</source>
        <translation>Durdur ve raporu yaz</translation>
    </message>
    <message>
        <source>Writes the report from the results so far.</source>
        <translation>Rapor, şimdiye dek bulunanlardan yazılır.</translation>
    </message>
</context>
<context>
    <name>CapabilityTest</name>
    <message>
        <source>Testing…</source>
        <translation>Sınanıyor…</translation>
    </message>
    <message>
        <source>Structured output</source>
        <translation>Yapılandırılmış çıktı verebiliyor</translation>
    </message>
    <message>
        <source>Token counting</source>
        <translation>Jetonları sayıyor</translation>
    </message>
    <message>
        <source>Native citations</source>
        <translation>Kaynaklarına kendisi atıf yapıyor</translation>
    </message>
    <message>
        <source>Tool use</source>
        <translation>Araç kullanıyor</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Resimleri görüyor</translation>
    </message>
    <message>
        <source>Prompt caching</source>
        <translation>İstem önbelleği kullanıyor</translation>
    </message>
    <message>
        <source>The connection works. Bellek handles what the model doesn’t support.</source>
        <translation>Bağlantı çalışıyor. Modelin yapamadığını Bellek tamamlar.</translation>
    </message>
    <message>
        <source>Model list</source>
        <translation>Modellerini listeliyor</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>Yanıt veriyor</translation>
    </message>
    <message>
        <source>All features Bellek uses are supported.</source>
        <translation>Bellek’in kullandığı tüm özellikleri destekliyor.</translation>
    </message>
</context>
<context>
    <name>CaretPopup</name>
    <message>
        <source>Suggestions</source>
        <translation>Öneriler</translation>
    </message>
</context>
<context>
    <name>Citations</name>
    <message>
        <source>“{words}”</source>
        <translation>“{words}”</translation>
    </message>
    <message>
        <source>Not checked against the source</source>
        <translation>Kaynakla karşılaştırılmadı</translation>
    </message>
    <message>
        <source>These words could not be matched to a place in the source</source>
        <translation>Bu sözlerin kaynaktaki yeri belirlenemedi</translation>
    </message>
    <message>
        <source>✓ The source says this</source>
        <translation>✓ Kaynak bunu söylüyor</translation>
    </message>
    <message>
        <source>✗ The source says otherwise</source>
        <translation>✗ Kaynak tersini söylüyor</translation>
    </message>
    <message>
        <source>! Not in the source</source>
        <translation>! Kaynakta yok</translation>
    </message>
    <message>
        <source>Not tested</source>
        <translation>Denetlenmedi</translation>
    </message>
</context>
<context>
    <name>CloseButtons</name>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
</context>
<context>
    <name>CloudChoice</name>
    <message>
        <source>Paste a key or choose another option.</source>
        <translation>Bir anahtar yapıştır ya da başka bir yol seç.</translation>
    </message>
    <message>
        <source>Paste the key here</source>
        <translation>Anahtarı buraya yapıştır</translation>
    </message>
    <message>
        <source>The key is stored in the system keyring, never in a file.</source>
        <translation>Anahtar sistemin anahtarlığında saklanır, hiçbir dosyaya yazılmaz.</translation>
    </message>
    <message>
        <source>No usable keyring was found. The key is kept only while Bellek is open and is never saved in a file.</source>
        <translation>Bu sistemde kullanılabilir bir anahtarlık yok. Anahtar yalnızca Bellek açıkken tutulur, hiçbir dosyaya yazılmaz.</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>Sağlayıcı</translation>
    </message>
    <message>
        <source>&amp;Get a key…</source>
        <translation>Ana&amp;htar al…</translation>
    </message>
    <message>
        <source>&amp;Claude or another cloud model, with your own key</source>
        <translation>&amp;Claude ya da bulutta başka bir model, kendi anahtarınla</translation>
    </message>
    <message>
        <source>Gives the best answers. Your questions are sent to the provider’s servers.</source>
        <translation>En iyi yanıtları verir. Soruların sağlayıcının sunucularına gönderilir.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Anahtar</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Copy code</source>
        <translation>Kodu kopyala</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Kod</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Compare answers</source>
        <translation>Yanıtları karşılaştır</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Oturum</translation>
    </message>
    <message>
        <source>Another answer</source>
        <translation>Başka bir yanıt</translation>
    </message>
    <message>
        <source>Version at the left</source>
        <translation>Soldaki sürüm</translation>
    </message>
    <message>
        <source>Version at the right</source>
        <translation>Sağdaki sürüm</translation>
    </message>
    <message>
        <source>There is one answer so far. Ask for another above to compare them.</source>
        <translation>Şimdilik tek yanıt var. Karşılaştırmak için yukarıdan bir yanıt daha iste.</translation>
    </message>
    <message>
        <source>The version that you do not choose stays, and can be shown again.</source>
        <translation>Seçmediğin sürüm silinmez, yeniden gösterilebilir.</translation>
    </message>
    <message>
        <source>Automatic depth</source>
        <translation>Otomatik derinlik</translation>
    </message>
    <message>
        <source>Quick answer</source>
        <translation>Hızlı yanıt</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Araştırma</translation>
    </message>
    <message>
        <source>Deep research</source>
        <translation>Derin araştırma</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask anything…</source>
        <translation>Bir şey sor…</translation>
    </message>
    <message>
        <source>Ask anything. This session won’t be saved…</source>
        <translation>Bir şey sor. Bu oturum kaydedilmez…</translation>
    </message>
    <message>
        <source>Ask anything. This starts a new session…</source>
        <translation>Bir şey sor. Yeni bir oturum başlar…</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Mesaj</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Gönder</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} jeton</translation>
    </message>
    <message>
        <source>Context: {tokens} / {limit}</source>
        <translation>Bağlam: {tokens} / {limit}</translation>
    </message>
    <message>
        <source>Share of the context window in use</source>
        <translation>Bağlam penceresinin doluluğu</translation>
    </message>
    <message>
        <source>What is in this document?</source>
        <translation>Bu belgede ne var?</translation>
    </message>
    <message>
        <source>What is in this picture?</source>
        <translation>Bu resimde ne var?</translation>
    </message>
    <message>
        <source>Ask anything. Nothing leaves this computer…</source>
        <translation>Bir şey sor. Hiçbir şey bu bilgisayardan çıkmaz…</translation>
    </message>
</context>
<context>
    <name>ConnectedChoice</name>
    <message>
        <source>&amp;Continue with {name}</source>
        <translation>{name} ile &amp;devam et</translation>
    </message>
    <message>
        <source>Already connected. No setup is needed.</source>
        <translation>Zaten bağlı. Yapman gereken bir şey yok.</translation>
    </message>
    <message>
        <source>Already connected, because ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL is set in the environment. Your questions are sent over this connection.</source>
        <translation>Ortamda ANTHROPIC_API_KEY ya da ANTHROPIC_BASE_URL tanımlı olduğu için zaten bağlı. Yapman gereken bir şey yok; soruların bu bağlantıyla gönderilir.</translation>
    </message>
</context>
<context>
    <name>ContextChips</name>
    <message>
        <source>Attached:</source>
        <translation>Eklenenler:</translation>
    </message>
    <message>
        <source>Attached to the question</source>
        <translation>Soruya eklenenler</translation>
    </message>
</context>
<context>
    <name>ContextPanel</name>
    <message>
        <source>Last request</source>
        <translation>Son istek</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Oku</translation>
    </message>
    <message>
        <source>Read the summaries of older messages</source>
        <translation>Eski mesajların özetlerini oku</translation>
    </message>
    <message>
        <source>Nothing of this session has been sent to a model since Bellek started. After your next question, this panel shows what was sent and how many tokens each part used.</source>
        <translation>Bellek açıldığından beri bu oturumdan modele bir şey gönderilmedi. Sıradaki soruyla nelerin gönderildiği ve her bölümün kaç jeton tuttuğu burada görünür.</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} jeton</translation>
    </message>
    <message>
        <source>{tokens} · {percent}%</source>
        <translation>{tokens} · %{percent}</translation>
    </message>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%n araç</numerusform>
        </translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Talimatlar</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>Kendin hakkında</translation>
    </message>
    <message numerus="yes">
        <source>%n summary(ies) of older messages</source>
        <translation>
            <numerusform>Eski mesajların %n özeti</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), word for word</source>
        <translation>
            <numerusform>%n mesaj, olduğu gibi</numerusform>
        </translation>
    </message>
    <message>
        <source>Your question</source>
        <translation>Sorduğun soru</translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s) from memory</source>
        <translation>
            <numerusform>Hatırlananlardan %n bilgi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n retrieved passage(s)</source>
        <translation>
            <numerusform>Bulunan %n pasaj</numerusform>
        </translation>
    </message>
    <message>
        <source>A note that nothing was found</source>
        <translation>Bir şey bulunmadığı notu</translation>
    </message>
    <message>
        <source>Retrieved passages</source>
        <translation>Bulunan pasajlar</translation>
    </message>
    <message numerus="yes">
        <source>%n more were sent as a summary</source>
        <translation>
            <numerusform>%n tanesi daha özetlenerek gönderildi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out</source>
        <translation>
            <numerusform>%n tanesi gönderilmedi</numerusform>
        </translation>
    </message>
    <message>
        <source>{tokens} / {limit} tokens</source>
        <translation>{tokens} / {limit} jeton</translation>
    </message>
    <message>
        <source>Nothing was read from the cache.</source>
        <translation>Önbellekten okunan yok.</translation>
    </message>
    <message>
        <source>{tokens} tokens ({percent}%) were read from the cache.</source>
        <translation>{tokens} jeton (%{percent}) önbellekten okundu.</translation>
    </message>
    <message numerus="yes">
        <source>%n left out because there was not enough space</source>
        <translation>
            <numerusform>Yer kalmadığı için %n öğe gönderilmedi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more left out because only the most important facts are sent</source>
        <translation>
            <numerusform>%n tanesi daha var; yalnızca en önemlileri gönderilir</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n left out because of your setting for long sessions</source>
        <translation>
            <numerusform>%n tanesi gönderilmedi: uzun oturumlar için seçimin bu</numerusform>
        </translation>
    </message>
    <message>
        <source>Not sent because this part is turned off or the session is temporary</source>
        <translation>Gönderilmedi: bu bölüm kapalı ya da oturum geçici</translation>
    </message>
    <message>
        <source>Kept for follow-up questions</source>
        <translation>Devam soruları için tutulanlar</translation>
    </message>
    <message>
        <source>{detail} · until {time}</source>
        <translation>{detail} · {time} saatine kadar</translation>
    </message>
    <message numerus="yes">
        <source>%n preference(s)</source>
        <translation>
            <numerusform>%n yanıt tercihi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier detail(s) you may be referring to</source>
        <translation>
            <numerusform>Değinilebilecek %n ayrıntı</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContinueBar</name>
    <message>
        <source>You are reading a past session.</source>
        <translation>Geçmiş bir oturumu okuyorsun.</translation>
    </message>
    <message>
        <source>Continue this session</source>
        <translation>Bu oturumu sürdür</translation>
    </message>
    <message>
        <source>Go to the active session</source>
        <translation>Etkin oturuma dön</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
</context>
<context>
    <name>CrashRecovery</name>
    <message>
        <source>The answer in “{title}” was interrupted. What had arrived is kept.</source>
        <translation>“{title}” oturumundaki yanıt yarıda kaldı. Gelen kısmı saklandı.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Aç</translation>
    </message>
    <message>
        <source>“{title}” ended.</source>
        <translation>“{title}” bitti.</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n mesaj</numerusform>
        </translation>
    </message>
    <message>
        <source>Your last session is unfinished. Do you want to continue it?</source>
        <translation>Son oturumun yarım kaldı. Sürdürmek ister misin?</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
    <message>
        <source>The answer to the last question in “{title}” did not arrive.</source>
        <translation>“{title}” oturumundaki son sorunun yanıtı gelmedi.</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>Yeniden sor</translation>
    </message>
</context>
<context>
    <name>DamageDialog</name>
    <message>
        <source>Damaged rows</source>
        <translation>Bozuk satırlar</translation>
    </message>
    <message>
        <source>Repairs could not save these rows completely. A backup may still contain them.</source>
        <translation>Onarım bu satırları tam olarak kurtaramadı. Bir yedekte hâlâ bulunabilirler.</translation>
    </message>
</context>
<context>
    <name>DayCalendar</name>
    <message>
        <source>Calendar</source>
        <translation>Takvim</translation>
    </message>
    <message>
        <source>Days of the month</source>
        <translation>Ayın günleri</translation>
    </message>
    <message>
        <source>Previous month</source>
        <translation>Önceki ay</translation>
    </message>
    <message>
        <source>Next month</source>
        <translation>Sonraki ay</translation>
    </message>
</context>
<context>
    <name>Days</name>
    <message>
        <source>Now</source>
        <translation>Şimdi</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Sabitlenenler</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Bugün</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Dün</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Bu hafta</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>Geçen hafta</translation>
    </message>
    <message>
        <source>Best matches</source>
        <translation>En ilgili olanlar</translation>
    </message>
    <message>
        <source>Similar in meaning only</source>
        <translation>Yalnızca anlamca yakın olanlar</translation>
    </message>
    <message>
        <source>More results</source>
        <translation>Daha fazlası var</translation>
    </message>
</context>
<context>
    <name>DiaryController</name>
    <message numerus="yes">
        <source>Watches found %n new thing(s).</source>
        <translation>
            <numerusform>İzlemeler %n yenilik buldu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Göster</translation>
    </message>
</context>
<context>
    <name>DiaryPage</name>
    <message>
        <source>Diary</source>
        <translation>Günlük</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>Maddeler</translation>
    </message>
    <message>
        <source>For each day with a session, Bellek writes down what you asked, found and decided, and what is still open. The entry is written when the day is over. Every line links to its message.</source>
        <translation>Bellek, oturum yaptığın her gün için ne sorduğunu, ne bulduğunu, neye karar verdiğini ve neyin açık kaldığını yazar. Kayıt, gün bitince yazılır. Her satırdan ilgili mesaja gidebilirsin.</translation>
    </message>
    <message>
        <source>The diary is turned off. To turn it on, open Settings &gt; Sessions.</source>
        <translation>Günlük kapalı. Açmak için Ayarlar &gt; Oturumlar’a git.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln entry(ies)</source>
        <translation>
            <numerusform>%Ln kayıt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln open item(s)</source>
        <translation>
            <numerusform>%Ln açık madde</numerusform>
        </translation>
    </message>
    <message>
        <source>Open items</source>
        <translation>Açık maddeler</translation>
    </message>
    <message>
        <source>There are no open questions or next steps.</source>
        <translation>Açık soru ya da sonraki adım yok.</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Yazılıyor…</translation>
    </message>
    <message>
        <source>&amp;Watches…</source>
        <translation>İ&amp;zlemeler…</translation>
    </message>
</context>
<context>
    <name>DocumentsDialog</name>
    <message>
        <source>Documents ({patterns})</source>
        <translation>Belgeler ({patterns})</translation>
    </message>
    <message>
        <source>Add to the library</source>
        <translation>Kitaplığa ekle</translation>
    </message>
</context>
<context>
    <name>EditBox</name>
    <message>
        <source>Your message</source>
        <translation>Mesajın</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Yeniden gönder</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
</context>
<context>
    <name>EditableTable</name>
    <message>
        <source>Move up</source>
        <translation>Yukarı taşı</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Aşağı taşı</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Yeni</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Çıkar</translation>
    </message>
</context>
<context>
    <name>EmptyPage</name>
    <message>
        <source>What would you like to find out?</source>
        <translation>Ne öğrenmek istersin?</translation>
    </message>
    <message>
        <source>Temporary session</source>
        <translation>Geçici oturum</translation>
    </message>
    <message>
        <source>Add the sample sessions</source>
        <translation>Örnek oturumları ekle</translation>
    </message>
    <message>
        <source>Connect a model…</source>
        <translation>Model bağla…</translation>
    </message>
    <message>
        <source>No model is connected. Bellek answers with passages from your past sessions and documents, and nothing leaves this computer.</source>
        <translation>Bağlı bir model yok. Bellek geçmiş oturumlarından ve belgelerinden alıntılarla yanıt verir; bu bilgisayardan hiçbir şey çıkmaz.</translation>
    </message>
    <message>
        <source>Nothing is written to disk and memory is not used. The session is lost when it ends.</source>
        <translation>Diske hiçbir şey yazılmaz, hatırlananlar kullanılmaz. Oturum bitince silinir.</translation>
    </message>
    <message>
        <source>Ask a question to start. Your session is saved as you go, and you can search it later.</source>
        <translation>Başlamak için bir soru sor. Oturum sen yazarken kaydedilir ve içinde her zaman arama yapabilirsin.</translation>
    </message>
    <message>
        <source>Suggested questions</source>
        <translation>Önerilen sorular</translation>
    </message>
</context>
<context>
    <name>EndpointPage</name>
    <message>
        <source>Models</source>
        <translation>Modeller</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Ad</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>A&amp;dres</translation>
    </message>
    <message>
        <source>Model &amp;file</source>
        <translation>Model d&amp;osyası</translation>
    </message>
    <message>
        <source>Model file</source>
        <translation>Model dosyası</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>S&amp;eç…</translation>
    </message>
    <message>
        <source>&amp;Key</source>
        <translation>Anah&amp;tar</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Model</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Sına</translation>
    </message>
    <message>
        <source>Sends a few short requests</source>
        <translation>Birkaç kısa istek gönderir</translation>
    </message>
    <message>
        <source>&amp;Remove this connection</source>
        <translation>Bu bağlantıyı &amp;kaldır</translation>
    </message>
    <message>
        <source>Enter an address starting with http:// or https://, such as {example}.</source>
        <translation>Adres http:// ya da https:// ile başlar, örneğin {example}.</translation>
    </message>
    <message>
        <source>Open the list to load the available models.</source>
        <translation>Kullanılabilir modelleri yüklemek için listeyi aç.</translation>
    </message>
    <message>
        <source>Messages (Anthropic)</source>
        <translation>Messages (Anthropic)</translation>
    </message>
    <message>
        <source>Chat completions (OpenAI)</source>
        <translation>Chat completions (OpenAI)</translation>
    </message>
    <message>
        <source>&amp;Protocol</source>
        <translation>&amp;Protokol</translation>
    </message>
    <message>
        <source>&amp;Get a key…</source>
        <translation>Ana&amp;htar al…</translation>
    </message>
    <message>
        <source>Answers of several sessions, two answers side by side and research share them; the others wait in line. A server on this computer may have to be set to more than one, too.</source>
        <translation>Birkaç oturumun yanıtları, yan yana iki yanıt ve araştırma bunları paylaşır; ötekiler sırada bekler. Bu bilgisayardaki bir sunucunun da birden çoğuna ayarlanması gerekebilir.</translation>
    </message>
    <message>
        <source>Requests at &amp;once</source>
        <translation>Aynı anda &amp;istek</translation>
    </message>
    <message>
        <source>Automatic: {number}</source>
        <translation>Otomatik: {number}</translation>
    </message>
</context>
<context>
    <name>EntryPage</name>
    <message>
        <source>Entry for the day</source>
        <translation>Günün kaydı</translation>
    </message>
    <message>
        <source>This day has no entry.</source>
        <translation>Bu günün kaydı yok.</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>&amp;Düzenle…</translation>
    </message>
    <message>
        <source>Write a&amp;gain</source>
        <translation>&amp;Yeniden yaz</translation>
    </message>
    <message>
        <source>&amp;Write this entry</source>
        <translation>Bu günün kaydını &amp;yaz</translation>
    </message>
    <message>
        <source>Show in session</source>
        <translation>Oturumda göster</translation>
    </message>
    <message>
        <source>Show in session: {line}</source>
        <translation>Oturumda göster: {line}</translation>
    </message>
    <message>
        <source>Your text appears above the entry and is never overwritten. To remove it, leave the field empty.</source>
        <translation>Metnin kaydın üstünde görünür, üzerine hiçbir zaman yazılmaz. Kaldırmak için alanı boş bırak.</translation>
    </message>
    <message>
        <source>Your text</source>
        <translation>Senin metnin</translation>
    </message>
    <message>
        <source>Asked</source>
        <translation>Sorulanlar</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Bulunanlar</translation>
    </message>
    <message>
        <source>Decided</source>
        <translation>Kararlar</translation>
    </message>
    <message>
        <source>Still open</source>
        <translation>Açık kalanlar</translation>
    </message>
    <message>
        <source>Next steps</source>
        <translation>Sonraki adımlar</translation>
    </message>
</context>
<context>
    <name>ErrorReportDialog</name>
    <message>
        <source>Something went wrong in Bellek</source>
        <translation>Bellek’te bir sorun oldu</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapor</translation>
    </message>
    <message>
        <source>&amp;Copy report</source>
        <translation>Raporu &amp;kopyala</translation>
    </message>
    <message>
        <source>Error in Bellek</source>
        <translation>Bellek’te bir hata</translation>
    </message>
    <message>
        <source>Log (contains none of your text)</source>
        <translation>Günlük dosyaları (yazdıklarının hiçbiri bunlarda yoktur)</translation>
    </message>
    <message>
        <source>Your saved sessions are safe, and you can continue. If the error happens again, please send us this report to help us fix it. Bellek never sends reports on its own.</source>
        <translation>Kaydettiklerin güvende, kaldığın yerden sürdürebilirsin. Hata yinelenirse bu raporu bize göndermen, hatayı gidermemize yardımcı olur. Bellek kendiliğinden rapor göndermez.</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export session</source>
        <translation>Oturumu dışa aktar</translation>
    </message>
    <message>
        <source>session</source>
        <translation>oturum</translation>
    </message>
    <message>
        <source>Export answer</source>
        <translation>Yanıtı dışa aktar</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>yanıt</translation>
    </message>
</context>
<context>
    <name>FactForm</name>
    <message>
        <source>&amp;Fact</source>
        <translation>&amp;Bilgi</translation>
    </message>
    <message>
        <source>One short sentence</source>
        <translation>Kısa bir cümle</translation>
    </message>
    <message>
        <source>&amp;Topic</source>
        <translation>&amp;Konu</translation>
    </message>
    <message>
        <source>&amp;Importance</source>
        <translation>Ö&amp;nem</translation>
    </message>
    <message>
        <source>{number} of 10</source>
        <translation>{number} / 10</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>Kay&amp;det</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
    <message>
        <source>A fact can have at most {count} characters; this one has {own}.</source>
        <translation>Bir bilgi en çok {count} karakter olabilir; bu {own} karakter.</translation>
    </message>
    <message>
        <source>This looks like a key, a password or a card number. Facts are sent to models, so this one cannot be saved.</source>
        <translation>Bu bir anahtara, parolaya ya da kart numarasına benziyor. Hatırlananlar modellere gönderildiği için bu kaydedilemez.</translation>
    </message>
    <message>
        <source>New fact</source>
        <translation>Yeni bilgi</translation>
    </message>
    <message>
        <source>Edit fact</source>
        <translation>Bilgiyi düzenle</translation>
    </message>
    <message>
        <source>Replace fact</source>
        <translation>Bilgiyi güncelle</translation>
    </message>
    <message>
        <source>Enter a fact.</source>
        <translation>Önce bilgiyi yaz.</translation>
    </message>
    <message>
        <source>“{fact}” is kept in the history with its dates.</source>
        <translation>“{fact}” tarihleriyle birlikte bilginin geçmişinde kalır.</translation>
    </message>
    <message>
        <source>The earlier wording is kept in the history.</source>
        <translation>Önceki hâli bilginin geçmişinde kalır.</translation>
    </message>
    <message>
        <source>While this fact is new, it is sent with every question.</source>
        <translation>Yeni olduğu sürece her soruyla birlikte gönderilir.</translation>
    </message>
</context>
<context>
    <name>FactLabels</name>
    <message>
        <source>short term</source>
        <translation>yeni</translation>
    </message>
    <message>
        <source>long term</source>
        <translation>kalıcı</translation>
    </message>
    <message>
        <source>learned from a session</source>
        <translation>bir oturumdan öğrenildi</translation>
    </message>
    <message>
        <source>importance {number} out of 10</source>
        <translation>önem {number}/10</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>bozuk</translation>
    </message>
    <message numerus="yes">
        <source>mentioned %n time(s)</source>
        <translation>
            <numerusform>%n kez söylendi</numerusform>
        </translation>
    </message>
    <message>
        <source>since {day}</source>
        <translation>{day} gününden beri</translation>
    </message>
    <message>
        <source>{first} – {last}</source>
        <translation>{first} – {last}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>sabit</translation>
    </message>
    <message>
        <source>{counted}: {reasons}</source>
        <translation>{counted}: {reasons}</translation>
    </message>
    <message numerus="yes">
        <source>%n not in your own words</source>
        <translation>
            <numerusform>%n tanesi senin sözün değildi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n no longer true</source>
        <translation>
            <numerusform>%n tanesi artık doğru değildi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not important enough</source>
        <translation>
            <numerusform>%n tanesi önemsizdi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with a key, a password or a card number</source>
        <translation>
            <numerusform>%n tanesinde anahtar, parola ya da kart numarası vardı</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n already remembered</source>
        <translation>
            <numerusform>%n tanesi zaten hatırlanıyordu</numerusform>
        </translation>
    </message>
    <message>
        <source>remembered at your request</source>
        <translation>sen istediğin için hatırlanıyor</translation>
    </message>
    <message>
        <source>answer preference</source>
        <translation>yanıt tercihin</translation>
    </message>
    <message numerus="yes">
        <source>%n suggestion(s) not saved</source>
        <translation>
            <numerusform>%n öneri saklanmadı</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n previously deleted by you</source>
        <translation>
            <numerusform>%n tanesini silmiştin</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not of lasting value</source>
        <translation>
            <numerusform>%n tanesi kalıcı bir şey söylemiyordu</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n from a failed answer</source>
        <translation>
            <numerusform>%n tanesinin yanıtı yarım kalmıştı</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactPage</name>
    <message>
        <source>Selected fact</source>
        <translation>Seçili bilgi</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Düzenle</translation>
    </message>
    <message>
        <source>Replace…</source>
        <translation>Güncelle…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Sil</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Sabitlemeyi kaldır</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Sabitle</translation>
    </message>
    <message>
        <source>Pinned facts do not age and are always sent first</source>
        <translation>Sabitlenen bilgi eskimez ve her zaman önce gönderilir</translation>
    </message>
    <message>
        <source>May conflict with</source>
        <translation>Bununla çelişiyor olabilir</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>İkisi de kalsın</translation>
    </message>
    <message>
        <source>Share with all projects</source>
        <translation>Tüm projelerle paylaş</translation>
    </message>
    <message>
        <source>Keep only the newer one</source>
        <translation>Yalnızca yenisi kalsın</translation>
    </message>
    <message>
        <source>Delete this one</source>
        <translation>Bunu sil</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Kaynağı</translation>
    </message>
    <message>
        <source>“{words}”</source>
        <translation>“{words}”</translation>
    </message>
    <message>
        <source>Replaces</source>
        <translation>Önceki hâli</translation>
    </message>
    <message>
        <source>Edit the wording (Enter)</source>
        <translation>Sözlerini düzelt (Enter)</translation>
    </message>
    <message>
        <source>Replace this fact if it is no longer true</source>
        <translation>Artık doğru değilse yerine doğrusunu yaz</translation>
    </message>
    <message>
        <source>Delete this fact (Del)</source>
        <translation>Sil (Del)</translation>
    </message>
    <message>
        <source>You wrote this fact yourself.</source>
        <translation>Kendin yazdın; bir mesajdan gelmiyor.</translation>
    </message>
    <message>
        <source>Show in session</source>
        <translation>Oturumda göster</translation>
    </message>
    <message>
        <source>Show in session: {title}, {day}</source>
        <translation>Oturumda göster: {title}, {day}</translation>
    </message>
    <message>
        <source>Let every project use this fact</source>
        <translation>Bu bilgiyi tüm projeler kullanabilsin</translation>
    </message>
</context>
<context>
    <name>FactsPage</name>
    <message>
        <source>Memory</source>
        <translation>Hatırlananlar</translation>
    </message>
    <message>
        <source>By topic</source>
        <translation>Konuya göre</translation>
    </message>
    <message>
        <source>Short or long term</source>
        <translation>Yeni / kalıcı ayrımına göre</translation>
    </message>
    <message>
        <source>By importance</source>
        <translation>Öneme göre</translation>
    </message>
    <message>
        <source>By age</source>
        <translation>Tarihe göre</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Bilgiler</translation>
    </message>
    <message>
        <source>&amp;Add a fact…</source>
        <translation>Bilgi &amp;ekle…</translation>
    </message>
    <message>
        <source>&amp;Write the first fact…</source>
        <translation>İlk bilgiyi &amp;yaz…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>Show backups</source>
        <translation>Yedekleri göster</translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n bilgi</numerusform>
        </translation>
    </message>
    <message>
        <source>Remembered facts</source>
        <translation>Hatırlananlar</translation>
    </message>
    <message>
        <source>Search facts</source>
        <translation>Hatırlananlarda ara</translation>
    </message>
    <message>
        <source>Sent with the next question</source>
        <translation>Şu an gönderilecekler</translation>
    </message>
    <message>
        <source>Memory views</source>
        <translation>Bölümler</translation>
    </message>
    <message>
        <source>Select a fact to see its source.</source>
        <translation>Nereden geldiğini görmek için bir bilgi seç.</translation>
    </message>
    <message>
        <source>No facts yet</source>
        <translation>Henüz hatırlanan bir şey yok</translation>
    </message>
    <message>
        <source>Delete all facts?</source>
        <translation>Tüm bilgiler silinsin mi?</translation>
    </message>
    <message>
        <source>Delete all</source>
        <translation>Hepsini sil</translation>
    </message>
    <message numerus="yes">
        <source>%n earlier backup(s) may still contain these facts.</source>
        <translation>
            <numerusform>Bu bilgiler önceden alınmış %n yedekte hâlâ duruyor olabilir.</numerusform>
        </translation>
    </message>
    <message>
        <source>No fact contains “{query}”.</source>
        <translation>Hatırlananlar arasında “{query}” yok.</translation>
    </message>
    <message>
        <source>When a session ends, Bellek saves facts that may be useful later, such as your profession, your projects and how you like your answers. Facts come only from your own messages. Each fact appears here with its source sentence, and you can edit, pin or delete it.

You can also write “remember this” in a message or click “Remember” below a message.</source>
        <translation>Bir oturum bitince Bellek, ileride işe yarayabilecek bilgileri saklar: kim olduğunu, ne üzerinde çalıştığını, yanıtları nasıl sevdiğini. Bilgiler yalnızca senin mesajlarından gelir. Her biri, geldiği cümleyle birlikte burada görünür; onu düzeltebilir, sabitleyebilir ya da silebilirsin.

Bir mesajda “bunu hatırla” diye yazabilir ya da mesajın altındaki “Bunu hatırla” düğmesine basabilirsin.</translation>
    </message>
    <message>
        <source>The facts were deleted. The deletion is permanent once Bellek restarts.</source>
        <translation>Bilgiler silindi. Bellek yeniden açılınca silme kalıcı olur.</translation>
    </message>
    <message>
        <source>The preference was deleted. This becomes permanent when Bellek restarts.</source>
        <translation>Tercih silindi. Bellek yeniden açılınca silme kalıcı olur.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Tercihler</translation>
    </message>
    <message>
        <source>Sort the facts</source>
        <translation>Bilgileri sırala</translation>
    </message>
    <message>
        <source>&amp;Delete all facts…</source>
        <translation>&amp;Tüm bilgileri sil…</translation>
    </message>
    <message numerus="yes">
        <source>All %n fact(s) and their history will be deleted. Preferences, suggested questions and your sessions will not change, and Bellek will not learn facts from the same words again.</source>
        <translation>
            <numerusform>%n bilginin hepsi geçmişiyle birlikte silinecek. Tercihler, önerilen sorular ve oturumların olduğu gibi kalır; aynı sözlerden yeniden bir şey öğrenilmez.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentence(s) of another assistant wait…</source>
        <translation>
            <numerusform>Başka bir asistandan %n cümle bekliyor…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FileChips</name>
    <message>
        <source>Opening the file…</source>
        <translation>Dosya açılıyor…</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Resim</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Belge</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} dosyasını çıkar</translation>
    </message>
</context>
<context>
    <name>FileDialog</name>
    <message>
        <source>the file is not encrypted</source>
        <translation>dosya şifrelenmez</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tüm dosyalar (*)</translation>
    </message>
</context>
<context>
    <name>FilterChip</name>
    <message>
        <source>Remove filter: {filter}</source>
        <translation>Filtreyi kaldır: {filter}</translation>
    </message>
</context>
<context>
    <name>FilterChips</name>
    <message>
        <source>Filters</source>
        <translation>Filtreler</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Tümü</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Bu hafta</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Sabitlenenler</translation>
    </message>
    <message>
        <source>Messages {count}</source>
        <translation>Mesajlar {count}</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Not found</source>
        <translation>Bulunamadı</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>{place}/{count}</translation>
    </message>
    <message>
        <source>Find in this session</source>
        <translation>Bu oturumda bul</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Öncekini bul</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Sonrakini bul</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
</context>
<context>
    <name>FindingBox</name>
    <message>
        <source>New: {subject}</source>
        <translation>Yeni: {subject}</translation>
    </message>
    <message numerus="yes">
        <source>%n more not shown.</source>
        <translation>
            <numerusform>%n tanesi daha var.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Tarayıcıda aç</translation>
    </message>
    <message>
        <source>Open in the browser: {title}</source>
        <translation>Tarayıcıda aç: {title}</translation>
    </message>
    <message>
        <source>“{words}”</source>
        <translation>“{words}”</translation>
    </message>
    <message>
        <source>Careful: this text contains sentences that look like instructions.</source>
        <translation>Dikkat: Bu metinde talimata benzeyen cümleler var.</translation>
    </message>
</context>
<context>
    <name>FolderRow</name>
    <message>
        <source>Open folder</source>
        <translation>Klasörü aç</translation>
    </message>
    <message>
        <source>Open folder: {name}</source>
        <translation>Klasörünü aç: {name}</translation>
    </message>
</context>
<context>
    <name>FreeSpaceDialog</name>
    <message>
        <source>Export and remove</source>
        <translation>Dışa aktar ve sil</translation>
    </message>
</context>
<context>
    <name>GlobalKey</name>
    <message>
        <source>Quick question</source>
        <translation>Hızlı soru</translation>
    </message>
</context>
<context>
    <name>GuidePage</name>
    <message>
        <source>User’s guide</source>
        <translation>Kullanım kılavuzu</translation>
    </message>
    <message>
        <source>Keyboard &amp;shortcuts</source>
        <translation>&amp;Klavye kısayolları</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
    <message>
        <source>Temporary, not saved</source>
        <translation>Geçici, kaydedilmiyor</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n mesaj</numerusform>
        </translation>
    </message>
    <message>
        <source>saved {time}</source>
        <translation>kaydedildi {time}</translation>
    </message>
    <message>
        <source>Unpin session</source>
        <translation>Sabitlemeyi kaldır</translation>
    </message>
    <message>
        <source>Pin session</source>
        <translation>Oturumu sabitle</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Dışa aktar…</translation>
    </message>
    <message>
        <source>Show sessions</source>
        <translation>Oturumları göster</translation>
    </message>
    <message>
        <source>Find in this session</source>
        <translation>Bu oturumda bul</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Diğer</translation>
    </message>
    <message>
        <source>About this session</source>
        <translation>Bu oturum hakkında</translation>
    </message>
</context>
<context>
    <name>Headline</name>
    <message>
        <source>damaged</source>
        <translation>bozuk</translation>
    </message>
    <message>
        <source>Bellek</source>
        <translation>Bellek</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} jeton</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import sessions</source>
        <translation>Oturumları içe aktar</translation>
    </message>
    <message>
        <source>Conversations (*.zip *.json *.jsonl *.md *.markdown *.txt)</source>
        <translation>Konuşmalar (*.zip *.json *.jsonl *.md *.markdown *.txt)</translation>
    </message>
</context>
<context>
    <name>ImportProgressDialog</name>
    <message>
        <source>Details</source>
        <translation>Ayrıntılar</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>İlerleme</translation>
    </message>
    <message>
        <source>Co&amp;py report</source>
        <translation>Raporu &amp;kopyala</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Ka&amp;pat</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
</context>
<context>
    <name>ImportSessionsDialog</name>
    <message>
        <source>Import sessions</source>
        <translation>Oturumları içe aktar</translation>
    </message>
    <message>
        <source>&amp;Import</source>
        <translation>İçe &amp;aktar</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Durduruluyor…</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>İçe aktarılıyor…</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) added so far.</source>
        <translation>
            <numerusform>Şimdiye dek %n oturum eklendi.</numerusform>
        </translation>
    </message>
    <message>
        <source>Import stopped</source>
        <translation>İçe aktarma durduruldu</translation>
    </message>
    <message>
        <source>Import finished</source>
        <translation>İçe aktarma bitti</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) imported.</source>
        <translation>
            <numerusform>%n oturum içe aktarıldı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were already in the archive.</source>
        <translation>
            <numerusform>%n oturum arşivde zaten vardı.</numerusform>
        </translation>
    </message>
    <message>
        <source>Reading the file…</source>
        <translation>Dosya okunuyor…</translation>
    </message>
    <message>
        <source>Import these sessions?</source>
        <translation>Bu oturumlar içe aktarılsın mı?</translation>
    </message>
    <message>
        <source>Nothing to import</source>
        <translation>İçe aktarılacak bir şey yok</translation>
    </message>
    <message numerus="yes">
        <source>%Ln session(s)</source>
        <translation>
            <numerusform>%Ln oturum</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln mesaj</numerusform>
        </translation>
    </message>
    <message>
        <source>{sessions}, {messages}.</source>
        <translation>{sessions}, {messages}.</translation>
    </message>
    <message>
        <source>Sessions already in your archive are not added again.</source>
        <translation>Arşivinde zaten olanlar ikinci kez eklenmez.</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ve %n tane daha</numerusform>
        </translation>
    </message>
    <message>
        <source>If you cancel, the sessions added so far are kept.</source>
        <translation>Vazgeçersen şimdiye dek eklenen oturumlar kalır.</translation>
    </message>
    <message>
        <source>&amp;Watch the folder: read new and changed notes</source>
        <translation>Klasörü i&amp;zle: yeni ve değişen notları oku</translation>
    </message>
    <message>
        <source>Import this?</source>
        <translation>Bunlar içe aktarılsın mı?</translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) for the library.</source>
        <translation>
            <numerusform>Kitaplık için %n belge.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InsightCard</name>
    <message>
        <source>Chart</source>
        <translation>Grafik</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tablo</translation>
    </message>
    <message>
        <source>{part}: show the chart</source>
        <translation>{part}: grafiği göster</translation>
    </message>
    <message>
        <source>{part}: show the table</source>
        <translation>{part}: tabloyu göster</translation>
    </message>
</context>
<context>
    <name>InsightPage</name>
    <message>
        <source>Overview</source>
        <translation>Genel bakış</translation>
    </message>
    <message>
        <source>After your first session, this page shows when you work, which topics recur, how many tokens the models used, and how your archive grows.</source>
        <translation>İlk oturumundan sonra bu sayfada ne zaman çalıştığını, hangi konulara döndüğünü, modellerin ne harcadığını ve arşivinin nasıl büyüdüğünü görürsün.</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>Henüz gösterilecek bir şey yok</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 gün</translation>
    </message>
    <message>
        <source>One year</source>
        <translation>Bir yıl</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Tüm zamanlar</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Dönem</translation>
    </message>
</context>
<context>
    <name>InstructionsPage</name>
    <message>
        <source>New, e.g. “Answer in at most five sentences”</source>
        <translation>Yeni: örneğin “En çok beş cümleyle yanıtla”</translation>
    </message>
    <message>
        <source>An instruction can have at most 1,000 characters.</source>
        <translation>Bir talimat en çok 1.000 karakter olabilir.</translation>
    </message>
    <message>
        <source>Instructions for every session</source>
        <translation>Her oturum için talimatlar</translation>
    </message>
    <message>
        <source>Rules that the model follows in every session. A rule that is turned off stays in the list but is not sent.</source>
        <translation>Modelin her oturumda uyduğu kurallar. Kapattığın talimat listede kalır ama gönderilmez.</translation>
    </message>
</context>
<context>
    <name>KeyField</name>
    <message>
        <source>Delete key</source>
        <translation>Anahtarı sil</translation>
    </message>
    <message>
        <source>Paste the key here</source>
        <translation>Anahtarı buraya yapıştır</translation>
    </message>
    <message>
        <source>Checking the keyring…</source>
        <translation>Anahtarlığa bakılıyor…</translation>
    </message>
    <message>
        <source>A key is saved. Paste a new key to replace it</source>
        <translation>Anahtar kayıtlı; değiştirmek için yenisini yapıştır</translation>
    </message>
    <message>
        <source>The key is stored in the system keyring.</source>
        <translation>Anahtar sistemin anahtarlığında duruyor.</translation>
    </message>
    <message>
        <source>No usable keyring was found, so the key is kept only while Bellek is open. You will have to enter it again next time.</source>
        <translation>Bu sistemde kullanılabilir bir anahtarlık yok, bu yüzden anahtar yalnızca Bellek açıkken tutulur. Sonraki açılışta onu yeniden girmen gerekir.</translation>
    </message>
    <message>
        <source>The key is stored in the system keyring, never in a file.</source>
        <translation>Anahtar sistemin anahtarlığında saklanır, hiçbir dosyaya yazılmaz.</translation>
    </message>
    <message>
        <source>No usable keyring was found. The key is kept only while Bellek is open and is never saved in a file.</source>
        <translation>Bu sistemde kullanılabilir bir anahtarlık yok. Anahtar yalnızca Bellek açıkken tutulur, hiçbir dosyaya yazılmaz.</translation>
    </message>
    <message>
        <source>Leave empty if the server does not need a key.</source>
        <translation>Sunucu anahtar istemiyorsa boş bırak.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Anahtar</translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message>
        <source>Add a folder to the library</source>
        <translation>Kitaplığa klasör ekle</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) look like conversations</source>
        <translation>
            <numerusform>%n dosya bir konuşmaya benziyor</numerusform>
        </translation>
    </message>
    <message>
        <source>Import as sessions</source>
        <translation>Oturum olarak içe aktar</translation>
    </message>
    <message>
        <source>Add to the library</source>
        <translation>Kitaplığa ekle</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>Sessions appear in the list and can be continued. Documents in the library can be cited in answers.</source>
        <translation>Oturumlar listede görünür ve sürdürülebilir. Kitaplıktaki belgelere yanıtlarda atıf yapılabilir.</translation>
    </message>
</context>
<context>
    <name>FilterButton</name>
    <message>
        <source>All projects</source>
        <translation>Tüm projeler</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Projesiz</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sırala</translation>
    </message>
    <message>
        <source>All sources</source>
        <translation>Tüm kaynaklar</translation>
    </message>
    <message>
        <source>Unread</source>
        <translation>Okunmamış</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Okunmuş</translation>
    </message>
    <message>
        <source>Ascending</source>
        <translation>Artan</translation>
    </message>
    <message>
        <source>Descending</source>
        <translation>Azalan</translation>
    </message>
</context>
<context>
    <name>LibraryPage</name>
    <message>
        <source>No&amp;tes</source>
        <translation>No&amp;tlar</translation>
    </message>
    <message>
        <source>Read scanned pa&amp;ges</source>
        <translation>Taranmış sayfa&amp;ları oku</translation>
    </message>
    <message>
        <source>Send to Zotero</source>
        <translation>Zotero’ya gönder</translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) sent to the collection selected in Zotero.</source>
        <translation>
            <numerusform>%n eser Zotero’da seçili olan koleksiyona gönderildi.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Ekle</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Kitaplık</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Kaynaklar</translation>
    </message>
    <message>
        <source>Add &amp;files…</source>
        <translation>&amp;Dosya ekle…</translation>
    </message>
    <message>
        <source>Add f&amp;older…</source>
        <translation>&amp;Klasör ekle…</translation>
    </message>
    <message>
        <source>Add &amp;web page…</source>
        <translation>&amp;Web sayfası ekle…</translation>
    </message>
    <message>
        <source>From &amp;Zotero…</source>
        <translation>&amp;Zotero’dan…</translation>
    </message>
    <message>
        <source>&amp;Read</source>
        <translation>&amp;Oku</translation>
    </message>
    <message>
        <source>&amp;Keep a copy</source>
        <translation>Kop&amp;yasını sakla</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>&amp;Kaldır</translation>
    </message>
    <message numerus="yes">
        <source>%Ln source(s)</source>
        <translation>
            <numerusform>%Ln kaynak</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;Open in browser</source>
        <translation>&amp;Tarayıcıda aç</translation>
    </message>
    <message>
        <source>&amp;Open file</source>
        <translation>&amp;Dosyayı aç</translation>
    </message>
    <message>
        <source>This project has no sources.</source>
        <translation>Bu projede kaynak yok.</translation>
    </message>
    <message>
        <source>The library is empty</source>
        <translation>Kitaplık henüz boş</translation>
    </message>
    <message>
        <source>Add documents for Bellek to use in answers: PDF, Word, EPUB, saved web pages (HTML), Markdown and plain text. Bellek reads them on this computer, searches them together with your sessions, and shows the exact words and page for every citation.

You can also drag files or folders to this window. Your files stay where they are. The library also contains the web pages that Bellek reads for you.</source>
        <translation>Yanıtların dayanmasını istediğin belgeleri buraya ekle: PDF, Word, EPUB, kaydedilmiş web sayfaları (HTML), Markdown ve düz metin. Bellek bunları bu bilgisayarda okur, oturumlarınla birlikte arar ve her atıfta alıntının kendisini, geçtiği sayfayla birlikte gösterir.

Dosyaları ya da klasörleri bu pencereye de sürükleyebilirsin. Dosyaların yerinde kalır. Bellek’in senin için okuduğu web sayfaları da burada durur.</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) removed. The removal becomes permanent when Bellek restarts.</source>
        <translation>
            <numerusform>%n kaynak kitaplıktan kaldırıldı. Bellek yeniden açılınca bu kalıcı olur.</numerusform>
        </translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>Projeye taşı</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) moved.</source>
        <translation>
            <numerusform>%n kaynak taşındı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) tagged “{name}”.</source>
        <translation>
            <numerusform>%n kaynak “{name}” diye etiketlendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tag “{name}” removed from %n source(s).</source>
        <translation>
            <numerusform>“{name}” etiketi %n kaynaktan kaldırıldı.</numerusform>
        </translation>
    </message>
    <message>
        <source>Search &amp;inside documents</source>
        <translation>Belgelerin &amp;içinde ara</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Diğer</translation>
    </message>
    <message>
        <source>Search title, author, year, DOI, tag</source>
        <translation>Başlık, yazar, yıl, DOI ya da etiket ara</translation>
    </message>
    <message>
        <source>A&amp;sk about these</source>
        <translation>Bunları &amp;sor</translation>
    </message>
    <message>
        <source>A&amp;sk about this</source>
        <translation>Bunu &amp;sor</translation>
    </message>
    <message>
        <source>Mark as &amp;unread</source>
        <translation>Oku&amp;nmadı olarak işaretle</translation>
    </message>
    <message>
        <source>Mark as rea&amp;d</source>
        <translation>Oku&amp;ndu olarak işaretle</translation>
    </message>
    <message>
        <source>&amp;Edit reference…</source>
        <translation>Künyeyi &amp;düzenle…</translation>
    </message>
    <message>
        <source>&amp;Copy reference</source>
        <translation>Künyeyi &amp;kopyala</translation>
    </message>
    <message>
        <source>Copy as &amp;BibTeX</source>
        <translation>&amp;BibTeX olarak kopyala</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>&amp;Adını değiştir…</translation>
    </message>
    <message>
        <source>Show in &amp;folder</source>
        <translation>Klasörde &amp;göster</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Adını değiştir</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Başlık</translation>
    </message>
    <message>
        <source>Reference of “{title}” saved.</source>
        <translation>“{title}” eserinin künyesi kaydedildi.</translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) marked as read.</source>
        <translation>
            <numerusform>%n kaynak okundu olarak işaretlendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n source(s) marked as unread.</source>
        <translation>
            <numerusform>%n kaynak okunmadı olarak işaretlendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) copied.</source>
        <translation>
            <numerusform>%n künye kopyalandı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) copied as BibTeX.</source>
        <translation>
            <numerusform>%n künye BibTeX olarak kopyalandı.</numerusform>
        </translation>
    </message>
    <message>
        <source>No title, author, year, DOI or tag contains “{query}”.</source>
        <translation>“{query}” hiçbir başlıkta, yazarda, yılda, DOI’de ya da etikette geçmiyor.</translation>
    </message>
    <message>
        <source>No source matches the filter.</source>
        <translation>Filtreye uyan kaynak yok.</translation>
    </message>
    <message numerus="yes">
        <source>%n possible duplicate(s)</source>
        <translation>
            <numerusform>%n olası yinelenen eser</numerusform>
        </translation>
    </message>
    <message>
        <source>Merged into “{title}”.</source>
        <translation>“{title}” içinde birleştirildi.</translation>
    </message>
    <message>
        <source>My library</source>
        <translation>Kitaplığım</translation>
    </message>
    <message>
        <source>Literature</source>
        <translation>Bilimsel yayınlar</translation>
    </message>
    <message>
        <source>Library and literature</source>
        <translation>Kitaplık ve bilimsel yayınlar</translation>
    </message>
    <message>
        <source>Com&amp;plete by DOI</source>
        <translation>&amp;DOI ile tamamla</translation>
    </message>
    <message>
        <source>Works that c&amp;ite it</source>
        <translation>Buna atı&amp;f yapanlar</translation>
    </message>
    <message>
        <source>Works that it cites</source>
        <translation>Atıf yaptıkları</translation>
    </message>
    <message>
        <source>Nothing was missing in the reference of “{title}”.</source>
        <translation>“{title}” künyesinde eksik yoktu.</translation>
    </message>
    <message>
        <source>&amp;Watch folder…</source>
        <translation>Klasörü i&amp;zle…</translation>
    </message>
</context>
<context>
    <name>ListDialog</name>
    <message>
        <source>&amp;Close</source>
        <translation>K&amp;apat</translation>
    </message>
</context>
<context>
    <name>LiteratureActions</name>
    <message>
        <source>Adding “{title}”…</source>
        <translation>“{title}” ekleniyor…</translation>
    </message>
    <message>
        <source>Stop reading its copy</source>
        <translation>Kopyasını okumayı durdur</translation>
    </message>
    <message>
        <source>“{title}” was added to the library.</source>
        <translation>“{title}” kitaplığa eklendi.</translation>
    </message>
    <message>
        <source>“{title}” was in the library already.</source>
        <translation>“{title}” zaten kitaplıktaydı.</translation>
    </message>
    <message>
        <source>Its full text can be read and cited.</source>
        <translation>Tam metni okunabilir ve alıntılanabilir.</translation>
    </message>
    <message>
        <source>Only its abstract can be read and cited.</source>
        <translation>Yalnızca özeti okunabilir ve alıntılanabilir.</translation>
    </message>
    <message>
        <source>There is neither a free copy nor an abstract of it.</source>
        <translation>Ne açık bir kopyası ne de özeti var.</translation>
    </message>
    <message>
        <source>Note: {marks}.</source>
        <translation>Dikkat: {marks}.</translation>
    </message>
    <message>
        <source>Its free copy could not be read: {why}</source>
        <translation>Açık kopyası okunamadı: {why}</translation>
    </message>
    <message>
        <source>Reference copied.</source>
        <translation>Künye kopyalandı.</translation>
    </message>
    <message>
        <source>Reference copied as BibTeX.</source>
        <translation>Künye BibTeX olarak kopyalandı.</translation>
    </message>
</context>
<context>
    <name>LiteratureForm</name>
    <message>
        <source>Search titles and abstracts</source>
        <translation>Başlık ve özetlerde ara</translation>
    </message>
    <message>
        <source>&amp;Free copies only</source>
        <translation>Yalnızca &amp;açık kopyası olanlar</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>&amp;Durdur</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>A&amp;ra</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Yazar</translation>
    </message>
    <message>
        <source>Journal or book</source>
        <translation>Dergi ya da kitap</translation>
    </message>
    <message>
        <source>From year</source>
        <translation>İlk yıl</translation>
    </message>
    <message>
        <source>To year</source>
        <translation>Son yıl</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Dil</translation>
    </message>
    <message>
        <source>Any language</source>
        <translation>Tüm diller</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>Türkçe</translation>
    </message>
    <message>
        <source>English</source>
        <translation>İngilizce</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Almanca</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Fransızca</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>İspanyolca</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>Rusça</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>Arapça</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filtreler</translation>
    </message>
</context>
<context>
    <name>LiteratureLabels</name>
    <message>
        <source>preprint</source>
        <translation>ön baskı</translation>
    </message>
    <message>
        <source>in your library</source>
        <translation>kitaplığında</translation>
    </message>
    <message>
        <source>free copy</source>
        <translation>açık kopya</translation>
    </message>
    <message>
        <source>preprint of {doi}</source>
        <translation>şu yayının ön baskısı: {doi}</translation>
    </message>
    <message numerus="yes">
        <source>cited %Ln time(s)</source>
        <translation>
            <numerusform>%Ln kez atıf aldı</numerusform>
        </translation>
    </message>
    <message>
        <source>Has an earlier version, a preprint: {doi}</source>
        <translation>Daha eski bir sürümü, ön baskısı var: {doi}</translation>
    </message>
    <message>
        <source>This work: {marks}</source>
        <translation>Bu yayın: {marks}</translation>
    </message>
    <message>
        <source>Free copy: {address}</source>
        <translation>Açık kopya: {address}</translation>
    </message>
    <message>
        <source>No service has an abstract of it.</source>
        <translation>Hiçbir hizmette özeti yok.</translation>
    </message>
</context>
<context>
    <name>LiteraturePage</name>
    <message>
        <source>Literature</source>
        <translation>Bilimsel yayınlar</translation>
    </message>
    <message>
        <source>My library</source>
        <translation>Kitaplığım</translation>
    </message>
    <message>
        <source>Library and literature</source>
        <translation>Kitaplık ve bilimsel yayınlar</translation>
    </message>
    <message>
        <source>&amp;Turn on literature search</source>
        <translation>Bilimsel yayın aramasını &amp;aç</translation>
    </message>
    <message>
        <source>‹ &amp;Back to the search</source>
        <translation>‹ Aramaya &amp;dön</translation>
    </message>
    <message>
        <source>&amp;More results</source>
        <translation>&amp;Daha fazla sonuç</translation>
    </message>
    <message>
        <source>Works found</source>
        <translation>Bulunan yayınlar</translation>
    </message>
    <message>
        <source>Details and abstract</source>
        <translation>Ayrıntılar ve özet</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Diğer</translation>
    </message>
    <message>
        <source>Literature search is off</source>
        <translation>Bilimsel yayın araması kapalı</translation>
    </message>
    <message>
        <source>Bellek can search the services of scholarly literature below, and merges what they find. Nothing is sent until you turn this on. Then these get the words that you search for, never your questions or documents:</source>
        <translation>Bellek aşağıdaki bilimsel yayın hizmetlerinde arayıp bulduklarını birleştirebilir. Sen açana dek hiçbir şey gönderilmez. Açarsan bu hizmetlere yalnızca aradığın sözcükler gider, soruların ve belgelerin gitmez:</translation>
    </message>
    <message>
        <source>On this computer only</source>
        <translation>Yalnızca bu bilgisayarda</translation>
    </message>
    <message>
        <source>This project, or all of Bellek, stays on this computer. So no service of literature is contacted here, whatever is switched on in the settings.</source>
        <translation>Bu proje ya da Bellek’in tümü bu bilgisayarda kalıyor. Bu yüzden ayarlarda ne açık olursa olsun, burada hiçbir yayın hizmetine bağlanılmaz.</translation>
    </message>
    <message>
        <source>Works that cite “{title}”</source>
        <translation>“{title}” yayınına atıf yapanlar</translation>
    </message>
    <message>
        <source>Works cited by “{title}”</source>
        <translation>“{title}” yayınının atıf yaptıkları</translation>
    </message>
    <message>
        <source>Waiting for {services}…</source>
        <translation>{services} bekleniyor…</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Aranıyor…</translation>
    </message>
    <message>
        <source>Searches {services}. Only what you type here is sent, never your questions or documents.</source>
        <translation>Şuralarda aranır: {services}. Yalnızca buraya yazdıkların gönderilir; soruların ve belgelerin gönderilmez.</translation>
    </message>
    <message>
        <source>No service answered.</source>
        <translation>Hiçbir hizmet yanıt vermedi.</translation>
    </message>
    <message>
        <source>No service that is on knows such a work.</source>
        <translation>Açık olan hizmetlerin hiçbirinde böyle bir yayın yok.</translation>
    </message>
    <message>
        <source>&amp;Add to the library</source>
        <translation>Kitaplığa &amp;ekle</translation>
    </message>
    <message>
        <source>A&amp;sk about this</source>
        <translation>Bunu &amp;sor</translation>
    </message>
    <message>
        <source>&amp;Open in browser</source>
        <translation>&amp;Tarayıcıda aç</translation>
    </message>
    <message>
        <source>&amp;Copy reference</source>
        <translation>Künyeyi &amp;kopyala</translation>
    </message>
    <message>
        <source>Copy as &amp;BibTeX</source>
        <translation>&amp;BibTeX olarak kopyala</translation>
    </message>
    <message>
        <source>Works that c&amp;ite it</source>
        <translation>Buna &amp;atıf yapanlar</translation>
    </message>
    <message>
        <source>Works that it ci&amp;tes</source>
        <translation>At&amp;ıf yaptıkları</translation>
    </message>
    <message>
        <source>nothing in {services}</source>
        <translation>şuralarda yok: {services}</translation>
    </message>
</context>
<context>
    <name>LossQuestion</name>
    <message>
        <source>End the temporary session?</source>
        <translation>Geçici oturum bitsin mi?</translation>
    </message>
    <message>
        <source>End session</source>
        <translation>Bitir</translation>
    </message>
    <message>
        <source>Keep session</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>This session is not saved. Once it ends, you cannot get it back.</source>
        <translation>Bu oturum kaydedilmiyor; bitince geri getirilemez.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Menus</source>
        <translation>Menüler</translation>
    </message>
</context>
<context>
    <name>MemoryNotices</name>
    <message>
        <source>I don’t remember anything matching that.</source>
        <translation>Hatırlananlar arasında buna uyan bir şey yok.</translation>
    </message>
    <message>
        <source>Forget “{fact}”?</source>
        <translation>“{fact}” unutulsun mu?</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ve %n bilgi daha</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget these %n fact(s)?</source>
        <translation>
            <numerusform>Bu %n bilgi unutulsun mu?</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Unut</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Kalsın</translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s) forgotten.</source>
        <translation>
            <numerusform>%n bilgi unutuldu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remembered: {fact}</source>
        <translation>Hatırlanacak: {fact}</translation>
    </message>
    <message>
        <source>Already remembered: {fact}</source>
        <translation>Zaten hatırlanıyor: {fact}</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Düzenle</translation>
    </message>
    <message numerus="yes">
        <source>and %n more fact(s) remembered</source>
        <translation>
            <numerusform>%n bilgi daha hatırlanacak</numerusform>
        </translation>
    </message>
    <message>
        <source>Open memory</source>
        <translation>Hatırlananları aç</translation>
    </message>
    <message>
        <source>From now on: {preferences}</source>
        <translation>Bundan sonra: {preferences}</translation>
    </message>
    <message>
        <source>Show preferences</source>
        <translation>Tercihleri göster</translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message>
        <source>&amp;Open memory…</source>
        <translation>&amp;Hatırlananları aç…</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>Kendin hakkında</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Ad</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Değer</translation>
    </message>
    <message>
        <source>New, e.g. Profession</source>
        <translation>Yeni: örneğin Meslek</translation>
    </message>
    <message>
        <source>e.g. Physician</source>
        <translation>örneğin Hekim</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Konu</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>Saat</translation>
    </message>
    <message>
        <source>New, e.g. health*</source>
        <translation>Yeni: örneğin sağlık*</translation>
    </message>
    <message>
        <source>e.g. 720</source>
        <translation>örneğin 720</translation>
    </message>
    <message>
        <source>Enter a number of hours from {least} to {most}.</source>
        <translation>{least} ile {most} arasında bir saat sayısı yaz.</translation>
    </message>
    <message>
        <source>Fact lifetime</source>
        <translation>Bilgiler ne kadar süre yeni sayılır</translation>
    </message>
    <message>
        <source>After 48 hours, a fact of importance 7 or less is sent only with related questions. You can set a different time for a topic, also for important facts. In a topic, * matches any letters. The first matching row applies.</source>
        <translation>48 saatten sonra, önemi 7 ya da daha az olan bir bilgi yalnızca ilgili sorularla gönderilir. Bir konuya, önemli bilgilerini de kapsayan başka bir süre verebilirsin; konu adındaki *, herhangi harflerin yerini tutar. Eşleşen ilk satır geçerlidir.</translation>
    </message>
    <message>
        <source>Details sent with every question, such as your name, your profession or the units you prefer.</source>
        <translation>Her soruyla gönderilen bilgiler: adın, mesleğin, kullandığın birimler gibi.</translation>
    </message>
    <message>
        <source>You can add up to {count} values of up to {length} characters each.</source>
        <translation>En çok {count} değer yazabilirsin; her biri en çok {length} karakter olabilir.</translation>
    </message>
</context>
<context>
    <name>MemoryProposalsDialog</name>
    <message>
        <source>Memory of another assistant</source>
        <translation>Başka bir asistanın hatırladıkları</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>Cümleler</translation>
    </message>
    <message>
        <source>&amp;Decline</source>
        <translation>Geri &amp;çevir</translation>
    </message>
    <message>
        <source>Remember &amp;all</source>
        <translation>&amp;Hepsini hatırla</translation>
    </message>
    <message>
        <source>&amp;Remember</source>
        <translation>&amp;Hatırla</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Kapat</translation>
    </message>
    <message>
        <source>Remember these sentences?</source>
        <translation>Bu cümleler hatırlansın mı?</translation>
    </message>
    <message>
        <source>Nothing is waiting</source>
        <translation>Bekleyen cümle yok</translation>
    </message>
    <message>
        <source>Another assistant remembers this about you. Bellek uses only the sentences that you confirm.</source>
        <translation>Başka bir asistan senin hakkında bunları hatırlıyor. Bellek yalnızca onayladığın cümleleri kullanır.</translation>
    </message>
    <message>
        <source>What another assistant remembers about you comes with an import of its sessions (File &gt; Import sessions), and waits here until you confirm it.</source>
        <translation>Başka bir asistanın senin hakkında hatırladıkları, onun oturumlarını içe aktarınca (Dosya &gt; Oturumları içe aktar) gelir ve sen onaylayana dek burada bekler.</translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Undo</source>
        <translation>Geri al</translation>
    </message>
</context>
<context>
    <name>MessageBody</name>
    <message>
        <source>Text, part {place} of {count}</source>
        <translation>Metin, {count} parçanın {place}. parçası</translation>
    </message>
    <message>
        <source>Text of the answer</source>
        <translation>Yanıtın metni</translation>
    </message>
</context>
<context>
    <name>ModelChooser</name>
    <message>
        <source>Model of the next answer: {model}</source>
        <translation>Sıradaki yanıtın modeli: {model}</translation>
    </message>
    <message>
        <source>Same as in the settings</source>
        <translation>Ayarlardaki gibi</translation>
    </message>
</context>
<context>
    <name>ModelField</name>
    <message>
        <source>Model</source>
        <translation>Model</translation>
    </message>
    <message>
        <source>Loading the list…</source>
        <translation>Liste yükleniyor…</translation>
    </message>
    <message>
        <source>This connection reported no models.</source>
        <translation>Bu bağlantı hiçbir model bildirmedi.</translation>
    </message>
</context>
<context>
    <name>ModelFileChoice</name>
    <message>
        <source>Choose a file or another option.</source>
        <translation>Bir dosya seç ya da başka bir yol seç.</translation>
    </message>
    <message>
        <source>Choose &amp;file…</source>
        <translation>&amp;Dosya seç…</translation>
    </message>
    <message>
        <source>No file chosen</source>
        <translation>Dosya seçilmedi</translation>
    </message>
    <message>
        <source>A &amp;model file on this computer (GGUF)</source>
        <translation>Bu bilgisayardaki bir &amp;model dosyası (GGUF)</translation>
    </message>
    <message>
        <source>Bellek runs the model itself. Nothing leaves this computer.</source>
        <translation>Bellek modeli bu bilgisayarda çalıştırır. Dışarıya hiçbir şey gönderilmez.</translation>
    </message>
</context>
<context>
    <name>ModelFileDialog</name>
    <message>
        <source>Choose a model file</source>
        <translation>Model dosyası seç</translation>
    </message>
    <message>
        <source>Model files (*.gguf)</source>
        <translation>Model dosyaları (*.gguf)</translation>
    </message>
</context>
<context>
    <name>ModelMenus</name>
    <message>
        <source>Loading the list…</source>
        <translation>Liste yükleniyor…</translation>
    </message>
    <message>
        <source>No models</source>
        <translation>Model yok</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>&amp;Which model fits this computer?</source>
        <translation>Bu bilgisayara hangi model uya&amp;r?</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Bağlantılar</translation>
    </message>
    <message>
        <source>Add a &amp;connection</source>
        <translation>&amp;Bağlantı ekle</translation>
    </message>
    <message>
        <source>A server at another address</source>
        <translation>Başka bir adresteki sunucu</translation>
    </message>
    <message>
        <source>A model file (GGUF)…</source>
        <translation>Model dosyası (GGUF)…</translation>
    </message>
    <message>
        <source>Writes the answers.</source>
        <translation>Yanıtları yazar.</translation>
    </message>
    <message>
        <source>&amp;Deep research</source>
        <translation>&amp;Derin araştırma</translation>
    </message>
    <message>
        <source>If the limit is too low, answers are cut off. Anthropic’s models set their own temperature and top P; other models use yours. Change at most one of the two.</source>
        <translation>Sınır çok düşükse yanıtlar yarıda kesilir. Anthropic’in modelleri sıcaklığı ve top P’yi kendileri belirler; diğer modellere seninki gönderilir. İkisinden en çok birini değiştir.</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Düzenle</translation>
    </message>
    <message>
        <source>Edit {connection}</source>
        <translation>Düzenle: {connection}</translation>
    </message>
    <message>
        <source>No connections yet. Until you connect a model, Bellek answers with passages from your past sessions.</source>
        <translation>Henüz bağlantı yok. Bir model bağlayana kadar Bellek geçmiş oturumlarından alıntılarla yanıt verir.</translation>
    </message>
    <message>
        <source>Models by task</source>
        <translation>Hangi işi hangi model yapsın</translation>
    </message>
    <message>
        <source>&amp;Answers</source>
        <translation>&amp;Yanıtlar</translation>
    </message>
    <message>
        <source>&amp;Quick tasks</source>
        <translation>&amp;Hızlı işler</translation>
    </message>
    <message>
        <source>Handles the small steps of an answer. A small, fast model is enough.</source>
        <translation>Yanıt hazırlanırken yapılan kısa işler; küçük, hızlı bir model yeter.</translation>
    </message>
    <message>
        <source>Plans deep answers, reads the sources and writes the reports.</source>
        <translation>Derin yanıtları planlar, kaynakları okur ve raporları yazar.</translation>
    </message>
    <message>
        <source>&amp;Summaries</source>
        <translation>Ö&amp;zetler</translation>
    </message>
    <message>
        <source>Writes titles, topics and summaries, including the summaries of long sessions.</source>
        <translation>Başlık, özet ve konu yazar; uzun oturumları özetler.</translation>
    </message>
    <message>
        <source>{name} is currently used because ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL or BELLEK_MODEL is set in the environment.</source>
        <translation>Şu an {name} yanıtlıyor, çünkü ortamda ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL ya da BELLEK_MODEL tanımlı.</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Aranıyor…</translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) found</source>
        <translation>
            <numerusform>%n sunucu bulundu</numerusform>
        </translation>
    </message>
    <message>
        <source>All servers that were found are already connected.</source>
        <translation>Bulunan sunucuların hepsi zaten bağlı.</translation>
    </message>
    <message>
        <source>No running server was found. Start a server and try again.</source>
        <translation>Çalışan bir sunucu bulunamadı. Bir sunucu başlatıp yeniden ara.</translation>
    </message>
    <message>
        <source>Find ser&amp;vers on this computer</source>
        <translation>Bu bilgisayarda &amp;sunucu ara</translation>
    </message>
    <message>
        <source>&amp;Length and temperature</source>
        <translation>&amp;Uzunluk ve sıcaklık</translation>
    </message>
    <message>
        <source>C&amp;hecking claims</source>
        <translation>İddi&amp;a denetimi</translation>
    </message>
    <message>
        <source>Judges whether the cited passages say what an answer claims. A large model is right more often.</source>
        <translation>Atıf yapılan pasajların yanıttaki iddiaları söyleyip söylemediğini değerlendirir. Büyük bir model daha az yanılır.</translation>
    </message>
    <message>
        <source>Search by meaning compares texts by vectors. A model made for embeddings, on a server or in a file, can make them instead of Bellek’s own. Everything is then prepared again in the background; until that is done, search uses the vectors that it has.</source>
        <translation>Anlama göre arama metinleri vektörlerle karşılaştırır. Vektörleri Bellek’in kendi modeli yerine bir sunucudaki ya da dosyadaki, gömme (embedding) için yapılmış bir model üretebilir. O zaman her şey arka planda yeniden hazırlanır; bitene dek arama eldeki vektörleri kullanır.</translation>
    </message>
    <message>
        <source>Vect&amp;ors</source>
        <translation>&amp;Vektörler</translation>
    </message>
    <message>
        <source>Prepared with the new model: {done} of {count}</source>
        <translation>Yeni modelle hazırlanan: {done}/{count}</translation>
    </message>
</context>
<context>
    <name>NoModelChoice</name>
    <message>
        <source>&amp;No model for now</source>
        <translation>Ş&amp;imdilik modelsiz</translation>
    </message>
    <message>
        <source>Bellek quotes relevant passages from your past sessions and documents. You can connect a model at any time in the settings.</source>
        <translation>Bellek, geçmiş oturumlarında ve belgelerinde soruyla ilgili yerleri bulup alıntılar. Dilediğin zaman ayarlardan bir model bağlayabilirsin.</translation>
    </message>
</context>
<context>
    <name>NoteEditor</name>
    <message>
        <source>Highlighted.</source>
        <translation>Vurgulandı.</translation>
    </message>
    <message>
        <source>Note saved.</source>
        <translation>Not kaydedildi.</translation>
    </message>
    <message>
        <source>Note deleted.</source>
        <translation>Not silindi.</translation>
    </message>
</context>
<context>
    <name>NoteForm</name>
    <message>
        <source>New note</source>
        <translation>Yeni not</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Not</translation>
    </message>
    <message>
        <source>Your note</source>
        <translation>Notun</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>Kay&amp;det</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Sil</translation>
    </message>
    <message>
        <source>Marked words</source>
        <translation>İşaretli sözler</translation>
    </message>
</context>
<context>
    <name>NoticeBell</name>
    <message>
        <source>Notices</source>
        <translation>Bildirimler</translation>
    </message>
    <message numerus="yes">
        <source>%n notice(s)</source>
        <translation>
            <numerusform>%n bildirim</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <source>Notice</source>
        <translation>Bildirim</translation>
    </message>
</context>
<context>
    <name>OutsideToolsSection</name>
    <message>
        <source>Programs and addresses that speak the Model Context Protocol lend their tools to the assistant. You see the whole command or address before it first runs. You are asked before each call, unless you allow a tool; even then where the words of a call are not yours, and in temporary sessions. What a tool returns is quoted as its server’s and never remembered.</source>
        <translation>Model Context Protocol konuşan programlar ve adresler araçlarını asistana sunar. Komutun ya da adresin tamamını ilk kez çalışmadan önce görürsün. Bir araca izin vermedikçe her çağrıdan önce sana sorulur; izin verdiğinde de çağrının sözleri senin değilse ve geçici oturumlarda sorulur. Aracın döndürdüğü, sunucusunun sözü olarak alıntılanır ve hiçbir zaman hatırlanmaz.</translation>
    </message>
    <message>
        <source>A program may contact whom it likes. So where everything stays on this computer, only addresses on this computer are used.</source>
        <translation>Bir program istediği yere bağlanabilir. Bu yüzden her şeyin bu bilgisayarda kaldığı yerde yalnızca bu bilgisayardaki adresler kullanılır.</translation>
    </message>
    <message>
        <source>Add a &amp;server…</source>
        <translation>&amp;Sunucu ekle…</translation>
    </message>
    <message>
        <source>Tools from elsewhere</source>
        <translation>Dışarıdan araçlar</translation>
    </message>
    <message>
        <source>Latest calls of these tools</source>
        <translation>Bu araçların son çağrıları</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Listeyi temizle</translation>
    </message>
    <message>
        <source>Clear the list of calls of tools</source>
        <translation>Araç çağrıları listesini temizle</translation>
    </message>
    <message>
        <source>done</source>
        <translation>bitti</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>başarısız</translation>
    </message>
    <message>
        <source>No tool from elsewhere was called yet.</source>
        <translation>Dışarıdan hiçbir araç henüz çağrılmadı.</translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Pages of the document</source>
        <translation>Belgenin sayfaları</translation>
    </message>
    <message>
        <source>Shift and the arrow keys select words; F7 shows a caret that the keys move.</source>
        <translation>Shift ve ok tuşları sözleri seçer; F7, tuşlarla gezen bir imleç gösterir.</translation>
    </message>
    <message>
        <source>Read by OCR as “{word}”, perhaps wrongly</source>
        <translation>OCR bunu “{word}” diye okudu; yanlış olabilir</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Type the name of an action, setting, session or document</source>
        <translation>Bir eylem, ayar, oturum ya da belge adı yaz</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Sonuçlar</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Komut paleti</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>Hiçbir şey bulunamadı.</translation>
    </message>
    <message>
        <source>Search for a session</source>
        <translation>Oturum ara</translation>
    </message>
</context>
<context>
    <name>PaletteItems</name>
    <message>
        <source>Settings</source>
        <translation>Ayarlar</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Oturum</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Belge</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Web sayfası</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Proje</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Etiket</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>unavailable now</source>
        <translation>şu anda kullanılamıyor</translation>
    </message>
</context>
<context>
    <name>ParameterFields</name>
    <message>
        <source>At most {number} tokens</source>
        <translation>En çok {number} jeton</translation>
    </message>
    <message>
        <source>Default length</source>
        <translation>Varsayılan uzunluk</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>En uzun yanıt</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Sıcaklık</translation>
    </message>
    <message>
        <source>Default temperature</source>
        <translation>Varsayılan sıcaklık</translation>
    </message>
    <message>
        <source>Temperature {number}</source>
        <translation>Sıcaklık {number}</translation>
    </message>
    <message>
        <source>Top P</source>
        <translation>Top P</translation>
    </message>
    <message>
        <source>Top P {number}</source>
        <translation>Top P {number}</translation>
    </message>
    <message>
        <source>Default top P</source>
        <translation>Varsayılan top P</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>İş</translation>
    </message>
</context>
<context>
    <name>PassphraseDialog</name>
    <message>
        <source>Passphrase</source>
        <translation>Parola</translation>
    </message>
    <message>
        <source>New passphrase</source>
        <translation>Yeni parola</translation>
    </message>
    <message>
        <source>Keep the key in the system &amp;keyring</source>
        <translation>Anahtarı &amp;sistemin anahtarlığında tut</translation>
    </message>
    <message>
        <source>With a passphrase, everything in this profile is encrypted: sessions, documents, pictures, memory, diary and the backups in its folder. Bellek asks for the passphrase at each start and after locking.</source>
        <translation>Parola koyarsan bu profildeki her şey şifrelenir: oturumlar, belgeler, resimler, hatırlananlar, günlük ve profil klasöründeki yedekler. Bellek parolayı her açılışta ve her kilitlenmeden sonra sorar.</translation>
    </message>
    <message>
        <source>&amp;Continue</source>
        <translation>&amp;Devam</translation>
    </message>
    <message>
        <source>Change &amp;passphrase</source>
        <translation>&amp;Parolayı değiştir</translation>
    </message>
    <message>
        <source>New passphrase (again)</source>
        <translation>Yeni parola (tekrar)</translation>
    </message>
    <message>
        <source>I &amp;have kept the recovery key</source>
        <translation>Kurtarma anahtarını &amp;sakladım</translation>
    </message>
    <message>
        <source>It does not protect an unlocked computer, exported files, or backups in other folders. A forgotten passphrase cannot be recovered, so keep the recovery key, which is shown next.</source>
        <translation>Kilidi açık bir bilgisayarı, dışa aktardıklarını ve başka klasörlerdeki yedekleri korumaz. Unutulan parola geri getirilemez; sonraki adımda gösterilen kurtarma anahtarını sakla.</translation>
    </message>
    <message>
        <source>New &amp;recovery key…</source>
        <translation>Yeni &amp;kurtarma anahtarı…</translation>
    </message>
    <message>
        <source>&amp;Turn off…</source>
        <translation>Parolayı &amp;kaldır…</translation>
    </message>
    <message>
        <source>Anyone who can unlock your desktop can then open this profile without the passphrase.</source>
        <translation>Açıksa, masaüstünün kilidini açabilen herkes bu profili de parolasız açabilir.</translation>
    </message>
    <message>
        <source>Recovery key</source>
        <translation>Kurtarma anahtarı</translation>
    </message>
    <message>
        <source>This key opens the profile if you forget the passphrase. It is shown only once. Print it or write it down, and keep it where nobody else will find it.</source>
        <translation>Parolayı unutursan profili bu anahtar açar. Yalnızca şimdi gösterilir. Yazdır ya da bir kâğıda yaz ve başkasının bakmayacağı bir yerde sakla.</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>&amp;Yazdır…</translation>
    </message>
    <message>
        <source>Restart and &amp;encrypt</source>
        <translation>Yeniden başlat ve ş&amp;ifrele</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>K&amp;apat</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message numerus="yes">
        <source>Use at least %n character(s). Several words are best.</source>
        <translation>
            <numerusform>En az %n karakterlik bir parola seç. Birkaç sözcük en iyisidir.</numerusform>
        </translation>
    </message>
    <message>
        <source>The two passphrases do not match.</source>
        <translation>İki parola aynı değil.</translation>
    </message>
    <message>
        <source>The passphrase was changed.</source>
        <translation>Parola değişti.</translation>
    </message>
    <message>
        <source>No usable keyring was found, so the key was not saved.</source>
        <translation>Sistemde anahtarı saklayacak bir anahtarlık yok.</translation>
    </message>
    <message>
        <source>Bellek: recovery key of the profile “{name}”</source>
        <translation>Bellek: “{name}” profilinin kurtarma anahtarı</translation>
    </message>
    <message>
        <source>Backups in other folders keep the passphrase that they were written with. If you turn the passphrase off, the profile is decrypted at the next start.</source>
        <translation>Başka klasörlerdeki yedekler, yazıldıkları sıradaki parolayla açılmayı sürdürür. Parolayı kaldırırsan Bellek yeniden açıldığında profilin şifresi çözülür.</translation>
    </message>
</context>
<context>
    <name>PasteChips</name>
    <message>
        <source>Pasted text, {size}</source>
        <translation>Yapıştırılan metin, {size}</translation>
    </message>
    <message>
        <source>Remove the pasted text</source>
        <translation>Yapıştırılan metni kaldır</translation>
    </message>
    <message>
        <source>Click to insert the text into the message field and edit it.</source>
        <translation>Mesaj alanına eklemek ve düzenlemek için tıkla.</translation>
    </message>
</context>
<context>
    <name>PhrasesPage</name>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>End the session</source>
        <translation>Oturumu bitirenler</translation>
    </message>
    <message>
        <source>Start a new topic</source>
        <translation>Yeni konu açanlar</translation>
    </message>
    <message>
        <source>A message that contains only this phrase ends the session.</source>
        <translation>Yalnızca bu sözlerden oluşan bir mesaj oturumu bitirir.</translation>
    </message>
    <message>
        <source>A message that starts with this phrase ends the session. The rest of the message starts a new session.</source>
        <translation>Böyle başlayan mesaj oturumu bitirir, kalanı yeni oturumu açar.</translation>
    </message>
    <message>
        <source>Capitalisation is ignored. An asterisk at the end of a word matches any ending; … on its own matches one to three words. Phrases that are turned off are ignored.</source>
        <translation>Büyük küçük harf fark etmez. Sözcüğün sonundaki yıldız her eki kapsar; tek başına … bir ila üç sözcüğün yerini tutar. Kapatılan sözler dikkate alınmaz.</translation>
    </message>
    <message>
        <source>New, e.g. “that’s it”</source>
        <translation>Yeni: örneğin “hepsi bu”</translation>
    </message>
    <message>
        <source>This phrase is already in the list.</source>
        <translation>Bu söz zaten listede.</translation>
    </message>
</context>
<context>
    <name>PlanCard</name>
    <message>
        <source>Plan for a deep answer</source>
        <translation>Derin yanıt için plan</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Başlat</translation>
    </message>
    <message>
        <source>about {tokens} tokens</source>
        <translation>yaklaşık {tokens} jeton</translation>
    </message>
    <message numerus="yes">
        <source>%n search(es)</source>
        <translation>
            <numerusform>%n arama</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n page(s)</source>
        <translation>
            <numerusform>%n sayfa</numerusform>
        </translation>
    </message>
    <message>
        <source>Estimate: {amounts}</source>
        <translation>Tahmin: {amounts}</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} jeton</translation>
    </message>
    <message>
        <source>Upper limit: {amounts}</source>
        <translation>Üst sınır: {amounts}</translation>
    </message>
    <message>
        <source>Sub-questions</source>
        <translation>Alt sorular</translation>
    </message>
    <message>
        <source>One sub-question per line, {count} at most.</source>
        <translation>Her satıra bir alt soru, en çok {count} tane.</translation>
    </message>
</context>
<context>
    <name>PreferencePage</name>
    <message>
        <source>Preferences</source>
        <translation>Tercihler</translation>
    </message>
    <message>
        <source>Bellek learns how you like your answers from what you ask for, from the comments on your ratings, and from your habits. What you ask for in the current session takes precedence.</source>
        <translation>Bellek yanıtları nasıl sevdiğini isteklerinden, değerlendirmelerine yazdığın yorumlardan ve alışkanlıklarından öğrenir. Bir oturumda ne istersen, o oturumda o geçerlidir.</translation>
    </message>
    <message>
        <source>Reword: {preference}</source>
        <translation>Kendi sözlerinle yaz: {preference}</translation>
    </message>
    <message>
        <source>Delete: {preference}</source>
        <translation>Sil: {preference}</translation>
    </message>
    <message numerus="yes">
        <source>and %n more message(s)</source>
        <translation>
            <numerusform>ve %n mesaj daha</numerusform>
        </translation>
    </message>
    <message>
        <source>Turned off</source>
        <translation>Kapalı</translation>
    </message>
    <message>
        <source>Not certain yet; turn it on to use it</source>
        <translation>Henüz kesin değil; açarsan kullanılır</translation>
    </message>
    <message>
        <source>Sent with every question</source>
        <translation>Her soruyla gönderilir</translation>
    </message>
    <message>
        <source>{percent}% sure</source>
        <translation>%{percent} kesin</translation>
    </message>
    <message>
        <source>last on {day}</source>
        <translation>son: {day}</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n mesaj</numerusform>
        </translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>istek</translation>
    </message>
    <message>
        <source>rating</source>
        <translation>değerlendirme</translation>
    </message>
    <message>
        <source>habit</source>
        <translation>alışkanlık</translation>
    </message>
    <message>
        <source>contradicts</source>
        <translation>bununla çelişiyor</translation>
    </message>
    <message>
        <source>“{words}” · {source}, {day}</source>
        <translation>“{words}” · {source}, {day}</translation>
    </message>
    <message>
        <source>Show in session: {words}</source>
        <translation>Oturumda göster: {words}</translation>
    </message>
    <message>
        <source>In your own words</source>
        <translation>Kendi sözlerinle</translation>
    </message>
    <message>
        <source>This looks like a key, a password or a card number.</source>
        <translation>Bu bir anahtara, parolaya ya da kart numarasına benziyor.</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>Tercih</translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Ayarlar</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Anahtarlar</translation>
    </message>
    <message>
        <source>each question, with its session, when you send it</source>
        <translation>gönderdiğin her soru, oturumuyla birlikte</translation>
    </message>
    <message>
        <source>each session once, when it ends, to write its title, summary and topics, and to learn facts if memory is on</source>
        <translation>biten her oturum bir kez, başlığının, özetinin ve konularının yazılması ve hatırlama açıksa bilgi öğrenilmesi için</translation>
    </message>
    <message>
        <source>No key is saved.</source>
        <translation>Kayıtlı anahtar yok.</translation>
    </message>
    <message>
        <source>Delete key</source>
        <translation>Anahtarı sil</translation>
    </message>
    <message>
        <source>Delete the key of {connection}</source>
        <translation>Anahtarı sil: {connection}</translation>
    </message>
    <message>
        <source>Your data</source>
        <translation>Verilerin nerede duruyor</translation>
    </message>
    <message>
        <source>Your data is stored only on this computer, in files that you can copy and delete.</source>
        <translation>Verilerin yalnızca bu bilgisayarda, kopyalayıp silebileceğin dosyalarda durur.</translation>
    </message>
    <message>
        <source>Log (contains none of your text)</source>
        <translation>Günlük dosyaları (yazdıklarının hiçbiri bunlarda yoktur)</translation>
    </message>
    <message>
        <source>Data sent from this computer</source>
        <translation>Bu bilgisayardan ne zaman ne gönderilir</translation>
    </message>
    <message>
        <source>Data that is never sent</source>
        <translation>Hiç gönderilmeyenler</translation>
    </message>
    <message>
        <source>&amp;Choose folder…</source>
        <translation>Klasör &amp;seç…</translation>
    </message>
    <message>
        <source>Folder of the automatic backups</source>
        <translation>Otomatik yedeklerin klasörü</translation>
    </message>
    <message>
        <source>Nothing is sent. No model is connected, and answers come from the data on this computer.</source>
        <translation>Hiçbir şey gönderilmiyor. Bağlı bir model yok; yanıtlar bu bilgisayardaki verilerden geliyor.</translation>
    </message>
    <message>
        <source>short requests while an answer is being prepared</source>
        <translation>yanıt hazırlanırken yapılan kısa istekler</translation>
    </message>
    <message>
        <source>each deep question, with its session and the sources read for the answer</source>
        <translation>her derin soru, oturumuyla ve yanıt için okunan kaynaklarla birlikte</translation>
    </message>
    <message>
        <source>the older half of a session that becomes too long, to summarise it</source>
        <translation>çok uzayan bir oturumun eski yarısı, özetlenmesi için</translation>
    </message>
    <message>
        <source>{name} ({place}) receives:</source>
        <translation>{name} ({place}) şunları alır:</translation>
    </message>
    <message>
        <source>Keys are stored in the system keyring, never in a file.</source>
        <translation>Anahtarların sistemin anahtarlığında durur, hiçbir dosyaya yazılmaz.</translation>
    </message>
    <message>
        <source>No usable keyring was found. Keys are kept only while Bellek is open and are never saved in a file.</source>
        <translation>Bu sistemde kullanılabilir bir anahtarlık yok. Anahtarların yalnızca Bellek açıkken tutulur, hiçbir dosyaya yazılmaz.</translation>
    </message>
    <message>
        <source>Bellek does not send usage statistics or crash reports and does not check for updates. It makes no connections that you did not ask for.</source>
        <translation>Bellek kullanım istatistiği ya da çökme raporu göndermez, güncelleme de aramaz. Sen istemeden hiçbir yere bağlanmaz.</translation>
    </message>
    <message>
        <source>{name} runs on this computer. Its data stays here.</source>
        <translation>{name} bu bilgisayarda çalışır; ona gönderilenler burada kalır.</translation>
    </message>
    <message>
        <source>If a provider searches the web itself, its queries may contain anything that it receives, and Bellek cannot check them first. Before Bellek itself sends a query with five words in a row from a past session or a document, it asks you; in deep research it leaves such a query out.</source>
        <translation>Sağlayıcı web’de kendisi arıyorsa sorgularında kendisine ulaşan her şey bulunabilir ve Bellek bunları önceden denetleyemez. Bellek ise geçmiş bir oturumdan ya da belgeden art arda beş sözcük içeren bir sorguyu göndermeden önce sana sorar; derin araştırmada böyle bir sorguyu hiç göndermez.</translation>
    </message>
    <message>
        <source>what an answer claims and the passages that it cites, to check the claims</source>
        <translation>bir yanıtın iddiaları ve atıf yaptığı pasajlar, iddiaları denetlemek için</translation>
    </message>
    <message>
        <source>Your data is stored on your own devices, in files that you can copy and delete.</source>
        <translation>Verilerin kendi cihazlarında, kopyalayıp silebileceğin dosyalarda durur.</translation>
    </message>
    <message>
        <source>To the place where your devices meet (File &gt; Devices and sharing): everything in this profile, encrypted.</source>
        <translation>Cihazlarının buluştuğu yere (Dosya &gt; Cihazlar ve paylaşım): bu profildeki her şey, şifrelenmiş olarak.</translation>
    </message>
    <message>
        <source>the text of every session, document, fact and note, and what you search for, to prepare search by meaning</source>
        <translation>anlama göre arama için tüm oturumların, belgelerin, bilgilerin ve notların metni ile aradıkların</translation>
    </message>
</context>
<context>
    <name>ProfileMenu</name>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Switch profile</source>
        <translation>Profil değiştir</translation>
    </message>
    <message>
        <source>New profile…</source>
        <translation>Yeni profil…</translation>
    </message>
    <message>
        <source>Rename profile</source>
        <translation>Profilin adını değiştir</translation>
    </message>
    <message>
        <source>Delete profile</source>
        <translation>Profili sil</translation>
    </message>
    <message>
        <source>Name the new, empty profile. Bellek will restart in it.</source>
        <translation>Yeni, boş profilin adını yaz. Bellek bu profille yeniden açılacak.</translation>
    </message>
    <message>
        <source>New profile</source>
        <translation>Yeni profil</translation>
    </message>
    <message>
        <source>New name of the profile “{name}”.</source>
        <translation>“{name}” profilinin yeni adı.</translation>
    </message>
    <message>
        <source>This profile is open, so Bellek will restart.</source>
        <translation>Bu profil açık olduğu için Bellek yeniden açılacak.</translation>
    </message>
    <message>
        <source>This permanently deletes the profile “{name}” ({size} MB):
its sessions, memory, library, backups, logs, settings and keys.
Backups in other folders are kept.

To delete it, type its name:</source>
        <translation>“{name}” profili kalıcı olarak silinir ({size} MB):
oturumları, hatırlananları, kitaplığı, yedekleri, günlük dosyaları, ayarları ve anahtarları.
Başka klasörlerdeki yedekler kalır.

Silmek için profilin adını yaz:</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>Kalıcı olarak sil</translation>
    </message>
</context>
<context>
    <name>ProgramRequests</name>
    <message>
        <source>Another program</source>
        <translation>Başka bir program</translation>
    </message>
    <message>
        <source>{program} asks Bellek to remember: “{fact}”</source>
        <translation>{program} şunun hatırlanmasını istiyor: “{fact}”</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>Hatırlansın</translation>
    </message>
    <message>
        <source>Don’t remember</source>
        <translation>Hatırlanmasın</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Ekle</translation>
    </message>
    <message>
        <source>Don’t add</source>
        <translation>Eklenmesin</translation>
    </message>
    <message>
        <source>{program} asks Bellek to read this page and add it to the library: {address}</source>
        <translation>{program} şu sayfanın okunup kitaplığa eklenmesini istiyor: {address}</translation>
    </message>
    <message>
        <source>{program} asks Bellek to add a text of {count} characters to the library: “{title}”</source>
        <translation>{program} {count} karakterlik bir metnin kitaplığa eklenmesini istiyor: “{title}”</translation>
    </message>
    <message>
        <source>Show the text…</source>
        <translation>Metni göster…</translation>
    </message>
    <message>
        <source>Added for {program}: {title}</source>
        <translation>{program} isteğiyle eklendi: {title}</translation>
    </message>
    <message>
        <source>Already in the library: {title}</source>
        <translation>Zaten kitaplıkta: {title}</translation>
    </message>
</context>
<context>
    <name>ProgramsPage</name>
    <message>
        <source>&amp;Pair a browser</source>
        <translation>Tarayıcı &amp;eşle</translation>
    </message>
    <message>
        <source>&amp;Forget all browsers</source>
        <translation>Tüm tarayıcıları &amp;unut</translation>
    </message>
    <message>
        <source>Press Bellek’s button in the browser and enter {code} there, within five minutes.</source>
        <translation>Tarayıcıda Bellek düğmesine bas ve beş dakika içinde şu kodu gir: {code}</translation>
    </message>
    <message numerus="yes">
        <source>%n browser(s) can send pages.</source>
        <translation>
            <numerusform>%n tarayıcı sayfa gönderebilir.</numerusform>
        </translation>
    </message>
    <message>
        <source>Claude Desktop, ChatGPT, LM Studio and others can search and read this profile through the Model Context Protocol. They see what belongs to no project; with “--project” and a name among the arguments, they see that project, too. What they do with it is up to them.</source>
        <translation>Claude Desktop, ChatGPT, LM Studio ve başkaları, Model Context Protocol ile bu profilde arama yapıp okuyabilir. Hiçbir projeye ait olmayanı görürler; değerlere “--project” ve bir proje adı eklenirse o projeyi de görürler. Okuduklarıyla ne yapacakları onlara kalmıştır.</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programlar</translation>
    </message>
    <message>
        <source>Latest calls</source>
        <translation>Son istekler</translation>
    </message>
    <message>
        <source>Text to paste</source>
        <translation>Yapıştırılacak metin</translation>
    </message>
    <message>
        <source>Paste it into the program’s list of servers. If the list has others already, add only the part for “bellek”.</source>
        <translation>Programın sunucu listesine yapıştır. Listede başkaları varsa yalnızca “bellek” bölümünü ekle.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopyala</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopyalandı.</translation>
    </message>
    <message>
        <source>Paste the text in its settings, where MCP servers are added.</source>
        <translation>Metni, programın ayarlarında MCP sunucularının eklendiği yere yapıştır.</translation>
    </message>
    <message>
        <source>Bellek is entered in {file}.</source>
        <translation>Bellek {file} dosyasına eklendi.</translation>
    </message>
    <message>
        <source>{file} cannot be understood, so Bellek leaves it alone.</source>
        <translation>{file} anlaşılamıyor; Bellek dosyaya dokunmuyor.</translation>
    </message>
    <message>
        <source>Bellek can enter itself in {file}; a copy of the file is kept.</source>
        <translation>Bellek kendini {file} dosyasına ekleyebilir; dosyanın bir kopyası saklanır.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Ekle</translation>
    </message>
    <message>
        <source>Add Bellek to {program}</source>
        <translation>Bellek’i {program} programına ekle</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Kaldır</translation>
    </message>
    <message>
        <source>Remove Bellek from {program}</source>
        <translation>Bellek’i {program} programından kaldır</translation>
    </message>
    <message>
        <source>No program has called yet.</source>
        <translation>Henüz hiçbir program istekte bulunmadı.</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>yanıtlandı</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>geri çevrildi</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>başarısız</translation>
    </message>
    <message>
        <source>a program without a name</source>
        <translation>adsız bir program</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Listeyi temizle</translation>
    </message>
    <message>
        <source>Clear the list of calls of programs</source>
        <translation>Program çağrıları listesini temizle</translation>
    </message>
</context>
<context>
    <name>ProjectForm</name>
    <message>
        <source>New project</source>
        <translation>Yeni proje</translation>
    </message>
    <message>
        <source>name = value</source>
        <translation>ad = değer</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Ad</translation>
    </message>
    <message>
        <source>&amp;Instructions</source>
        <translation>Tali&amp;matlar</translation>
    </message>
    <message>
        <source>&amp;Variables</source>
        <translation>&amp;Değişkenler</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>Kay&amp;det</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
    <message>
        <source>In a project, Bellek learns, recalls and suggests only from the project itself and from shared facts.</source>
        <translation>Bir projede öğrenilen, hatırlanan ve önerilen her şey yalnızca o projeden ve ortak bilgilerden gelir.</translation>
    </message>
    <message>
        <source>&amp;On this computer only: no cloud model, no web, no literature</source>
        <translation>&amp;Yalnızca bu bilgisayarda: bulut modeli, web ve bilimsel yayınlar yok</translation>
    </message>
    <message>
        <source>Edit project</source>
        <translation>Projeyi düzenle</translation>
    </message>
</context>
<context>
    <name>ProjectPage</name>
    <message>
        <source>Conversation</source>
        <translation>Konuşma</translation>
    </message>
    <message>
        <source>Project page</source>
        <translation>Proje sayfası</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Ad</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Talimatlar</translation>
    </message>
    <message>
        <source>What Bellek should observe in every answer of this project</source>
        <translation>Bellek bu projenin her yanıtında neye uysun?</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>Değişkenler</translation>
    </message>
    <message>
        <source>name = value</source>
        <translation>ad = değer</translation>
    </message>
    <message>
        <source>Nothing belongs to this project yet.</source>
        <translation>Bu projede henüz bir şey yok.</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Belgeler</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Hatırlananlar</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notlar</translation>
    </message>
    <message>
        <source>{title} · {day}</source>
        <translation>{title} · {day}</translation>
    </message>
    <message>
        <source>{note} · {title}</source>
        <translation>{note} · {title}</translation>
    </message>
    <message>
        <source>Show its sessions in the list</source>
        <translation>Oturumlarını listede göster</translation>
    </message>
    <message>
        <source>Open the library with its documents</source>
        <translation>Belgelerini kitaplıkta aç</translation>
    </message>
    <message>
        <source>Open the memory with its facts</source>
        <translation>Bilgilerini hatırlananlarda aç</translation>
    </message>
    <message>
        <source>on this computer only</source>
        <translation>yalnızca bu bilgisayarda</translation>
    </message>
</context>
<context>
    <name>ProjectPageController</name>
    <message>
        <source>The project “{name}” was changed.</source>
        <translation>“{name}” projesi değiştirildi.</translation>
    </message>
</context>
<context>
    <name>ProjectDeletion</name>
    <message>
        <source>Delete the project “{name}”?</source>
        <translation>“{name}” projesi silinsin mi?</translation>
    </message>
    <message>
        <source>{contents}. What should happen to them?</source>
        <translation>{contents}. Bunlara ne yapılsın?</translation>
    </message>
    <message>
        <source>Keep without a project</source>
        <translation>Projesiz kalsınlar</translation>
    </message>
    <message>
        <source>Delete all</source>
        <translation>Hepsini sil</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>It is shared with a group, which you leave. The other members keep what came from you, unless you take it back: then it is removed there. This cannot be undone.</source>
        <translation>Proje bir grupla paylaşılıyor; gruptan ayrılacaksın. Öteki üyeler senden gelenleri saklar; geri çekersen onlardan silinir. Bu geri alınamaz.</translation>
    </message>
    <message>
        <source>Leave the group</source>
        <translation>Gruptan ayrıl</translation>
    </message>
    <message>
        <source>Leave and take back</source>
        <translation>Ayrıl ve geri çek</translation>
    </message>
    <message>
        <source>Delete without telling the others</source>
        <translation>Ötekilere bildirmeden sil</translation>
    </message>
</context>
<context>
    <name>ProjectsController</name>
    <message>
        <source>Find…</source>
        <translation>Bul…</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) moved to “{name}”.</source>
        <translation>
            <numerusform>%n oturum “{name}” projesine taşındı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) moved out of the project.</source>
        <translation>
            <numerusform>%n oturum projeden çıkarıldı.</numerusform>
        </translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>Projeye taşı</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Projesiz</translation>
    </message>
    <message>
        <source>New project…</source>
        <translation>Yeni proje…</translation>
    </message>
    <message>
        <source>The project “{name}” was deleted.</source>
        <translation>“{name}” projesi silindi.</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>Tüm projeler</translation>
    </message>
    <message>
        <source>{name} · next question in all projects</source>
        <translation>{name} · sıradaki soru tüm projelerde</translation>
    </message>
    <message>
        <source>All sessions</source>
        <translation>Tüm oturumlar</translation>
    </message>
    <message>
        <source>Ask the next question in all projects</source>
        <translation>Sıradaki soruyu tüm projelerde sor</translation>
    </message>
    <message>
        <source>Delete project…</source>
        <translation>Projeyi sil…</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) tagged “{name}”.</source>
        <translation>
            <numerusform>%n oturum “{name}” diye etiketlendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Tag “{name}” removed from %n session(s).</source>
        <translation>
            <numerusform>“{name}” etiketi %n oturumdan kaldırıldı.</numerusform>
        </translation>
    </message>
    <message>
        <source>Project page</source>
        <translation>Proje sayfası</translation>
    </message>
    <message>
        <source>Edit project…</source>
        <translation>Projeyi düzenle…</translation>
    </message>
    <message>
        <source>The project “{name}” was deleted, and its group was left.</source>
        <translation>“{name}” projesi silindi, grubundan ayrıldın.</translation>
    </message>
</context>
<context>
    <name>PromptsController</name>
    <message>
        <source>Prompt</source>
        <translation>İstem</translation>
    </message>
    <message>
        <source>No prompts yet: write the first…</source>
        <translation>Henüz istem yok: ilkini yaz…</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>İstemler</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Komutlar</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Kitaplık</translation>
    </message>
    <message>
        <source>Projects</source>
        <translation>Projeler</translation>
    </message>
</context>
<context>
    <name>PromptsPage</name>
    <message>
        <source>“{name}” was deleted.</source>
        <translation>“{name}” silindi.</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>İstemler</translation>
    </message>
    <message>
        <source>Search prompts</source>
        <translation>İstemlerde ara</translation>
    </message>
    <message>
        <source>Na&amp;me</source>
        <translation>&amp;Ad</translation>
    </message>
    <message>
        <source>Offered &amp;in</source>
        <translation>&amp;Nerede sunulsun</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>&amp;Metin</translation>
    </message>
    <message>
        <source>Bellek asks for words in braces, such as [topic], when you use the prompt. Type / in the empty message field to use one.</source>
        <translation>Süslü ayraç içindeki sözler, örneğin [konu], istem kullanılırken sorulur. Bir istemi kullanmak için boş mesaj alanına / yaz.</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>&amp;Kullan</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>&amp;Çoğalt</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Sil</translation>
    </message>
    <message>
        <source>&amp;Add a prompt</source>
        <translation>İ&amp;stem ekle</translation>
    </message>
    <message>
        <source>New prompt</source>
        <translation>Yeni istem</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>Tüm projeler</translation>
    </message>
</context>
<context>
    <name>ProposedTextDialog</name>
    <message>
        <source>If you add it, exactly this is kept in the library, as a document.</source>
        <translation>Eklersen kitaplıkta belge olarak tam olarak bu saklanır.</translation>
    </message>
    <message>
        <source>Text from another program</source>
        <translation>Başka bir programın metni</translation>
    </message>
</context>
<context>
    <name>ProseBlock</name>
    <message>
        <source>Text</source>
        <translation>Metin</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>&amp;Konum:</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>Dosya &amp;türü:</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Ctrl</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Shift</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Meta</source>
        <translation>Meta</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>PgUp</source>
        <translation>PgUp</translation>
    </message>
    <message>
        <source>PgDown</source>
        <translation>PgDn</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Enter</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>Your message, {time}</source>
        <translation>Mesajın, {time}</translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln earlier character(s)</source>
        <translation>
            <numerusform>Öncesini göster: %Ln karakter daha var</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %Ln more character(s)</source>
        <translation>
            <numerusform>Devamını göster: %Ln karakter daha var</numerusform>
        </translation>
    </message>
    <message>
        <source>(This message is damaged.)</source>
        <translation>(Bu mesaj bozuk.)</translation>
    </message>
    <message>
        <source>Text of your message</source>
        <translation>Mesajının metni</translation>
    </message>
</context>
<context>
    <name>QuestionChip</name>
    <message>
        <source>Ask: {question}</source>
        <translation>Sor: {question}</translation>
    </message>
</context>
<context>
    <name>QuickWindow</name>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Gönder</translation>
    </message>
    <message>
        <source>Answering…</source>
        <translation>Yanıtlanıyor…</translation>
    </message>
    <message>
        <source>Not saved. Esc closes this window.</source>
        <translation>Kaydedilmez. Esc bu pencereyi kapatır.</translation>
    </message>
    <message>
        <source>Uses past sessions, saves nothing. Esc closes this window.</source>
        <translation>Geçmiş oturumları kullanır, hiçbir şey kaydetmez. Esc bu pencereyi kapatır.</translation>
    </message>
    <message>
        <source>Uses past sessions and memory, saves nothing. Esc closes this window.</source>
        <translation>Geçmiş oturumları ve hatırlananları kullanır, hiçbir şey kaydetmez. Esc bu pencereyi kapatır.</translation>
    </message>
    <message>
        <source>Quick question – Bellek</source>
        <translation>Hızlı soru – Bellek</translation>
    </message>
    <message>
        <source>Quick question…</source>
        <translation>Hızlı soru…</translation>
    </message>
    <message>
        <source>Quick question</source>
        <translation>Hızlı soru</translation>
    </message>
    <message>
        <source>New question</source>
        <translation>Yeni soru</translation>
    </message>
    <message>
        <source>Open in Bellek</source>
        <translation>Bellek’te aç</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Conversation</source>
        <translation>Konuşma</translation>
    </message>
</context>
<context>
    <name>ReaderPanel</name>
    <message>
        <source>Find in this source</source>
        <translation>Bu kaynakta bul</translation>
    </message>
    <message>
        <source>Ask about this source</source>
        <translation>Bu kaynağa sor</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Diğer</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Küçült</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>Büyüt</translation>
    </message>
    <message>
        <source>Show as text</source>
        <translation>Metin olarak göster</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>Önceki sayfa</translation>
    </message>
    <message>
        <source>Previous passage</source>
        <translation>Önceki pasaj</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>Sonraki sayfa</translation>
    </message>
    <message>
        <source>Next passage</source>
        <translation>Sonraki pasaj</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>İçindekiler</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Put into the message</source>
        <translation>Mesaja ekle</translation>
    </message>
    <message>
        <source>{title} – Reader</source>
        <translation>{title} – Okuyucu</translation>
    </message>
    <message>
        <source>&amp;Open in browser</source>
        <translation>&amp;Tarayıcıda aç</translation>
    </message>
    <message>
        <source>&amp;Open file</source>
        <translation>&amp;Dosyayı aç</translation>
    </message>
    <message>
        <source>The file was moved or deleted.</source>
        <translation>Dosya artık eski yerinde değil.</translation>
    </message>
    <message>
        <source>Only addresses that begin with http or https can be opened.</source>
        <translation>Yalnızca http ya da https ile başlayan adresler açılabilir.</translation>
    </message>
    <message>
        <source>This source has changed since it was cited. The passage is shown as it was when cited.</source>
        <translation>Bu kaynak atıf yapıldığından beri değişti. Pasaj, atıf yapıldığı zamanki hâliyle gösteriliyor.</translation>
    </message>
    <message>
        <source>The model’s server searched the web itself. Only the quoted part of this page reached this computer.</source>
        <translation>Web’de aramayı modelin sunucusu yaptı. Bu sayfadan bu bilgisayara yalnızca alıntılanan sözler ulaştı.</translation>
    </message>
    <message>
        <source>The title of this source contains instructions aimed at a model; they were ignored.</source>
        <translation>Bu kaynağın başlığında modele yönelik talimatlar var; bunlara uyulmadı.</translation>
    </message>
    <message>
        <source>The marked words contain instructions aimed at a model; they were ignored.</source>
        <translation>İşaretli sözlerde modele yönelik talimatlar var; bunlara uyulmadı.</translation>
    </message>
    <message>
        <source>The quoted words could not be marked on the page.</source>
        <translation>Alıntılanan sözler sayfada işaretlenemedi.</translation>
    </message>
    <message>
        <source>The quoted words were not found in this passage.</source>
        <translation>Alıntılanan sözler bu pasajda bulunamadı.</translation>
    </message>
    <message>
        <source>printed as {label}</source>
        <translation>basılı numarası {label}</translation>
    </message>
    <message>
        <source>Page {number} of {count}</source>
        <translation>Sayfa {number}/{count}</translation>
    </message>
    <message>
        <source>Passage {number} of {count}</source>
        <translation>Pasaj {number}/{count}</translation>
    </message>
    <message>
        <source>“{note}” is not in the library.</source>
        <translation>“{note}” kitaplıkta yok.</translation>
    </message>
</context>
<context>
    <name>ReaderText</name>
    <message>
        <source>Text of the source</source>
        <translation>Kaynağın metni</translation>
    </message>
    <message>
        <source>Page {number}</source>
        <translation>Sayfa {number}</translation>
    </message>
    <message>
        <source>Read by OCR as “{word}”, perhaps wrongly</source>
        <translation>OCR bunu “{word}” diye okudu; yanlış olabilir</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Bağlantılar</translation>
    </message>
</context>
<context>
    <name>RecentSearches</name>
    <message>
        <source>Recent searches</source>
        <translation>Son aramalar</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Temizle</translation>
    </message>
    <message>
        <source>Clear recent searches</source>
        <translation>Son aramaları temizle</translation>
    </message>
</context>
<context>
    <name>ReferenceForm</name>
    <message>
        <source>Not set</source>
        <translation>Belirtilmemiş</translation>
    </message>
    <message>
        <source>Edit reference</source>
        <translation>Künyeyi düzenle</translation>
    </message>
    <message>
        <source>T&amp;ype</source>
        <translation>&amp;Tür</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Kaydet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Başlık</translation>
    </message>
    <message>
        <source>&amp;Authors</source>
        <translation>Ya&amp;zarlar</translation>
    </message>
    <message>
        <source>Y&amp;ear or date</source>
        <translation>Yı&amp;l ya da tarih</translation>
    </message>
    <message>
        <source>&amp;Journal or book</source>
        <translation>&amp;Dergi ya da kitap</translation>
    </message>
    <message>
        <source>&amp;Volume</source>
        <translation>&amp;Cilt</translation>
    </message>
    <message>
        <source>&amp;Issue</source>
        <translation>&amp;Sayı</translation>
    </message>
    <message>
        <source>&amp;Pages</source>
        <translation>Say&amp;falar</translation>
    </message>
    <message>
        <source>Pu&amp;blisher</source>
        <translation>Ya&amp;yıncı</translation>
    </message>
    <message>
        <source>&amp;DOI</source>
        <translation>D&amp;OI</translation>
    </message>
    <message>
        <source>ISB&amp;N</source>
        <translation>ISB&amp;N</translation>
    </message>
    <message>
        <source>Add&amp;ress</source>
        <translation>Ad&amp;res</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>D&amp;il</translation>
    </message>
    <message>
        <source>One a line: family name, given names</source>
        <translation>Her satıra bir yazar: soyadı, adı</translation>
    </message>
</context>
<context>
    <name>ResearchController</name>
    <message>
        <source>Deep research was interrupted: “{question}”</source>
        <translation>Derin bir yanıt yarıda kaldı: “{question}”</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Bırak</translation>
    </message>
    <message numerus="yes">
        <source>%n completed step(s) will not be charged again.</source>
        <translation>
            <numerusform>%n adım zaten yapıldı, yeniden ücretlendirilmez.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ResearchPage</name>
    <message>
        <source>Contacted addresses…</source>
        <translation>Bağlanılan adresler…</translation>
    </message>
    <message>
        <source>When a limit is reached, the research stops and the answer is written from the results so far. An estimate is shown before the research starts.</source>
        <translation>Bir sınıra ulaşılınca araştırma durur ve yanıt o ana dek bulunanlardan yazılır. Araştırma başlamadan önce bir tahmin gösterilir.</translation>
    </message>
</context>
<context>
    <name>RestoreDialog</name>
    <message>
        <source>Restore a backup</source>
        <translation>Yedeği geri yükle</translation>
    </message>
    <message>
        <source>Bellek’s archive (*.db)</source>
        <translation>Bellek arşivi (*.db)</translation>
    </message>
</context>
<context>
    <name>ResultFilters</name>
    <message>
        <source>Any topic</source>
        <translation>Her konu</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Her zaman</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Mesajlar</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>Documents and pages</source>
        <translation>Belgeler ve sayfalar</translation>
    </message>
    <message>
        <source>Best match first</source>
        <translation>Önce en ilgili</translation>
    </message>
    <message>
        <source>Newest first</source>
        <translation>Önce en yeni</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Sabitlenenler</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Konu</translation>
    </message>
    <message>
        <source>Pinned sessions only</source>
        <translation>Yalnızca sabitlenen oturumlar</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Bugün</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Dün</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Bu hafta</translation>
    </message>
    <message>
        <source>Last week</source>
        <translation>Geçen hafta</translation>
    </message>
    <message>
        <source>This month</source>
        <translation>Bu ay</translation>
    </message>
    <message>
        <source>Last month</source>
        <translation>Geçen ay</translation>
    </message>
    <message>
        <source>This year</source>
        <translation>Bu yıl</translation>
    </message>
    <message>
        <source>All types</source>
        <translation>Her tür</translation>
    </message>
    <message>
        <source>Date, in numbers or words</source>
        <translation>Tarih, rakamla ya da sözle</translation>
    </message>
    <message>
        <source>Sort</source>
        <translation>Sıralama</translation>
    </message>
    <message>
        <source>Diary</source>
        <translation>Günlük</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notlar</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tür</translation>
    </message>
</context>
<context>
    <name>ResultsModel</name>
    <message>
        <source>Show more</source>
        <translation>Daha fazla</translation>
    </message>
    <message>
        <source>source</source>
        <translation>kaynak</translation>
    </message>
    <message>
        <source>diary</source>
        <translation>günlük</translation>
    </message>
    <message numerus="yes">
        <source>%n match(es)</source>
        <translation>
            <numerusform>%n sonuç</numerusform>
        </translation>
    </message>
    <message>
        <source>similar in meaning only</source>
        <translation>yalnızca anlamca yakın</translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message>
        <source>Search results</source>
        <translation>Arama sonuçları</translation>
    </message>
    <message>
        <source>Remove all filters</source>
        <translation>Tüm filtreleri kaldır</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s)</source>
        <translation>
            <numerusform>%n oturum</numerusform>
        </translation>
    </message>
    <message>
        <source>{count} or more</source>
        <translation>{count} ve daha fazlası</translation>
    </message>
    <message>
        <source>Nothing found with these filters.
Remove a filter or use fewer words.</source>
        <translation>Bu filtrelerle bir şey bulunamadı.
Birini kaldır ya da daha az sözcükle ara.</translation>
    </message>
    <message>
        <source>Nothing found for “{query}”.
Try fewer words, the beginning of a word, or another word.</source>
        <translation>“{query}” için bir şey bulunamadı.
Daha az sözcük, bir sözcüğün başını ya da başka bir sözcük dene.</translation>
    </message>
    <message>
        <source>Close results</source>
        <translation>Sonuçları kapat</translation>
    </message>
    <message>
        <source>no exact matches, only results with a similar meaning</source>
        <translation>hiçbirinde bu sözcükler geçmiyor, yalnızca anlamları yakın</translation>
    </message>
    <message>
        <source>Search all past sessions.
Words match in any form, with or without Turkish letters. Use “quotation marks” for exact words and -word to exclude a word. You can also write a date in words: last week, in March.</source>
        <translation>Tüm geçmiş oturumlarda ara.
Sözcükler her çekimiyle ve Türkçe harfler olmadan da bulunur; “tırnak içinde” yazılan aynen aranır, başına eksi konan (-sözcük) elenir. Tarihi sözle de yazabilirsin: geçen hafta, mart ayında.</translation>
    </message>
    <message>
        <source>“{words}” is not recognised as a date.</source>
        <translation>“{words}” tarih olarak anlaşılamadı.</translation>
    </message>
    <message>
        <source>No sessions in this period: {days}.</source>
        <translation>Bu günlerde oturum yok: {days}.</translation>
    </message>
</context>
<context>
    <name>RoleFields</name>
    <message>
        <source>Connection</source>
        <translation>Bağlantı</translation>
    </message>
    <message>
        <source>Any model</source>
        <translation>Herhangi bir model</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Model yok</translation>
    </message>
    <message>
        <source>Same as for answers</source>
        <translation>Yanıtlardakiyle aynı</translation>
    </message>
    <message>
        <source>Same as for summaries</source>
        <translation>Özetlerdekiyle aynı</translation>
    </message>
    <message>
        <source>Bellek’s own model</source>
        <translation>Bellek’in kendi modeli</translation>
    </message>
    <message>
        <source>Which model?</source>
        <translation>Hangi model?</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search</source>
        <translation>Ara</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>Tüm oturumlarda ara</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>Aramayı temizle</translation>
    </message>
</context>
<context>
    <name>SecretField</name>
    <message>
        <source>Hide</source>
        <translation>Gizle</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Göster</translation>
    </message>
    <message>
        <source>Show or hide: {name}</source>
        <translation>Göster ya da gizle: {name}</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n seçili</numerusform>
        </translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>Seçimi kaldır</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Tags…</source>
        <translation>Etiketler…</translation>
    </message>
    <message>
        <source>Move to project…</source>
        <translation>Projeye taşı…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Dışa aktar…</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Birleştir</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Sil</translation>
    </message>
</context>
<context>
    <name>ServerBox</name>
    <message>
        <source>Use the tools of {server}</source>
        <translation>{server} araçlarını kullan</translation>
    </message>
    <message>
        <source>Look at its tools</source>
        <translation>Araçlarına bak</translation>
    </message>
    <message>
        <source>Run it and look at its tools</source>
        <translation>Çalıştır ve araçlarına bak</translation>
    </message>
    <message>
        <source>{action}: {server}</source>
        <translation>{action}: {server}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Kaldır</translation>
    </message>
    <message>
        <source>It is not run before you have looked at the command above.</source>
        <translation>Sen yukarıdaki komuta bakmadan çalıştırılmaz.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Kapalı</translation>
    </message>
    <message>
        <source>Ask each time</source>
        <translation>Her seferinde sor</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>İzinli</translation>
    </message>
    <message>
        <source>{tool} of {server}</source>
        <translation>{server} aracı {tool}</translation>
    </message>
    <message>
        <source>New or changed since you looked, and not offered before you agree:</source>
        <translation>Sen baktıktan sonra eklendi ya da değişti; sen kabul etmeden sunulmaz:</translation>
    </message>
    <message>
        <source>Offer these tools</source>
        <translation>Bu araçları sun</translation>
    </message>
    <message>
        <source>Offer the new tools of {server}</source>
        <translation>{server} sunucusunun yeni araçlarını sun</translation>
    </message>
</context>
<context>
    <name>ServerChoice</name>
    <message>
        <source>Find servers and pick one, or choose another option.</source>
        <translation>Sunucu arayıp birini seç ya da başka bir yol seç.</translation>
    </message>
    <message>
        <source>A model &amp;server on this computer</source>
        <translation>Bu bilgisayardaki bir model s&amp;unucusu</translation>
    </message>
    <message>
        <source>Find se&amp;rvers</source>
        <translation>Sunucu &amp;ara</translation>
    </message>
    <message>
        <source>Servers found</source>
        <translation>Bulunan sunucular</translation>
    </message>
    <message numerus="yes">
        <source>%n server(s) found</source>
        <translation>
            <numerusform>%n sunucu bulundu</numerusform>
        </translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Aranıyor…</translation>
    </message>
    <message>
        <source>No running server was found. Start a server and try again.</source>
        <translation>Çalışan bir sunucu bulunamadı. Bir sunucu başlatıp yeniden ara.</translation>
    </message>
    <message>
        <source>Ollama, LM Studio, llama.cpp, vLLM, SGLang, Jan, KoboldCpp or text-generation-webui. Nothing leaves this computer.</source>
        <translation>Ollama, LM Studio, llama.cpp, vLLM, SGLang, Jan, KoboldCpp ya da text-generation-webui. Bu bilgisayardan hiçbir şey çıkmaz.</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>&amp;Show what will run</source>
        <translation>&amp;Ne çalışacağını göster</translation>
    </message>
    <message>
        <source>&amp;Run it and add its tools</source>
        <translation>Çalıştır ve araçlarını &amp;ekle</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>&amp;Command, address, or JSON with “mcpServers”</source>
        <translation>&amp;Komut, adres ya da “mcpServers” içeren JSON</translation>
    </message>
    <message>
        <source>&amp;Name, by which you and the assistant know it</source>
        <translation>Senin ve asistanın bileceği &amp;ad</translation>
    </message>
    <message>
        <source>&amp;Variables, or headers, as NAME=value, one a line</source>
        <translation>&amp;Değişkenler ya da başlıklar: her satırda AD=değer</translation>
    </message>
    <message>
        <source>Their values are kept in the system’s keyring.</source>
        <translation>Değerleri sistemin anahtarlığında saklanır.</translation>
    </message>
    <message>
        <source>Bellek will contact exactly this address, which learns what each call says:</source>
        <translation>Bellek tam olarak şu adrese bağlanacak; adres her çağrıda yazanı öğrenir:</translation>
    </message>
    <message>
        <source>Bellek will run exactly this, without a shell. It is a program with your rights: it can read your files and reach the network.</source>
        <translation>Bellek tam olarak şunu, kabuk olmadan çalıştıracak. Bu, senin yetkilerinle çalışan bir programdır: dosyalarını okuyabilir ve ağa çıkabilir.</translation>
    </message>
</context>
<context>
    <name>SessionDelegate</name>
    <message>
        <source>Title</source>
        <translation>Başlık</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>geçici</translation>
    </message>
    <message>
        <source>active</source>
        <translation>etkin</translation>
    </message>
    <message>
        <source>Writing the title…</source>
        <translation>Başlık yazılıyor…</translation>
    </message>
</context>
<context>
    <name>SessionListModel</name>
    <message>
        <source>waits in line</source>
        <translation>sırada</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>seni bekliyor</translation>
    </message>
    <message>
        <source>answering…</source>
        <translation>yanıtlanıyor…</translation>
    </message>
    <message>
        <source>new answer</source>
        <translation>yeni yanıt</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>geçici</translation>
    </message>
    <message>
        <source>source, p. {page}</source>
        <translation>kaynak, s. {page}</translation>
    </message>
    <message>
        <source>source</source>
        <translation>kaynak</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>bozuk</translation>
    </message>
    <message>
        <source>diary</source>
        <translation>günlük</translation>
    </message>
    <message>
        <source>branched</source>
        <translation>dallanmış</translation>
    </message>
</context>
<context>
    <name>SessionNotices</name>
    <message>
        <source>Undo</source>
        <translation>Geri al</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Yeniden dene</translation>
    </message>
    <message>
        <source>Read the summary</source>
        <translation>Özeti oku</translation>
    </message>
    <message>
        <source>Saved as “{title}”.</source>
        <translation>“{title}” adıyla saklandı.</translation>
    </message>
    <message>
        <source>Writing the title and summary…</source>
        <translation>Başlık ve özet yazılıyor…</translation>
    </message>
    <message>
        <source>The session ended because you were away for a while.</source>
        <translation>Bir süredir yazmadığın için oturum bitti.</translation>
    </message>
    <message>
        <source>The session became too long for the model and ended.</source>
        <translation>Oturum, model için çok uzadığından bitti.</translation>
    </message>
    <message>
        <source>The session has ended.</source>
        <translation>Oturum bitti.</translation>
    </message>
    <message>
        <source>Your last message has no answer yet.</source>
        <translation>Son mesajın henüz yanıtlanmadı.</translation>
    </message>
    <message>
        <source>This looks like a new topic, so a new session was started.</source>
        <translation>Konu değişmiş görünüyor, bu yüzden yeni bir oturum başladı.</translation>
    </message>
    <message numerus="yes">
        <source>This session is long, so %n older message(s) were sent to the model as a summary.</source>
        <translation>
            <numerusform>Oturum uzadığı için eski %n mesajın yalnızca özeti modele gönderildi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This session is long, so %n older message(s) were not sent to the model.</source>
        <translation>
            <numerusform>Oturum uzadığı için eski %n mesaj modele gönderilmedi.</numerusform>
        </translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Yanıtla</translation>
    </message>
    <message>
        <source>The session ended because you wrote “{words}”.</source>
        <translation>“{words}” yazdığın için oturum bitti.</translation>
    </message>
    <message>
        <source>The last session became too long for the model and ended. You can find it in the list on the left. This is a new session.</source>
        <translation>Önceki oturum, model için çok uzadığından bitti. Onu soldaki listede bulabilirsin; bu yeni bir oturum.</translation>
    </message>
    <message>
        <source>You are continuing this session. The previous session has ended.</source>
        <translation>Bu oturumu sürdürüyorsun; önceki oturum bitti.</translation>
    </message>
    <message>
        <source>The last session has ended. You can find it in the list on the left.</source>
        <translation>Önceki oturum bitti. Onu soldaki listede bulabilirsin.</translation>
    </message>
    <message>
        <source>The later messages are kept in version {number}.</source>
        <translation>Sonraki mesajlar {number}. sürümde duruyor.</translation>
    </message>
    <message>
        <source>The messages were exported to {file} on {day}. To bring them back, import that file.</source>
        <translation>Mesajlar {day} günü {file} dosyasına aktarıldı. O dosyayı içe aktarınca geri gelirler.</translation>
    </message>
</context>
<context>
    <name>SessionPageView</name>
    <message>
        <source>from {name}</source>
        <translation>{name} ekledi</translation>
    </message>
    <message>
        <source>About this session</source>
        <translation>Bu oturum hakkında</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Başlık</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Özet</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>Konular</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>Virgülle ayır</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} jeton</translation>
    </message>
    <message>
        <source>Cited</source>
        <translation>Kaynaklar</translation>
    </message>
    <message>
        <source>Facts learned</source>
        <translation>Hatırlananlar</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Tercihler</translation>
    </message>
    <message>
        <source>{title} · {day}</source>
        <translation>{title} · {day}</translation>
    </message>
    <message>
        <source>Related</source>
        <translation>İlgili oturumlar</translation>
    </message>
    <message>
        <source>Entry of {day}</source>
        <translation>{day} günlüğü</translation>
    </message>
    <message>
        <source>Diary</source>
        <translation>Günlük</translation>
    </message>
    <message numerus="yes">
        <source>%n time(s)</source>
        <translation>
            <numerusform>%n kez</numerusform>
        </translation>
    </message>
    <message>
        <source>{title} · {times}</source>
        <translation>{title} · {times}</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Konuşma</translation>
    </message>
    <message>
        <source>No summary yet</source>
        <translation>Henüz özet yok</translation>
    </message>
    <message>
        <source>described by {model}</source>
        <translation>özetleyen: {model}</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n mesaj</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SessionPageController</name>
    <message>
        <source>Your change is kept when the session is described again.</source>
        <translation>Değişikliğin kaydedildi; oturum yeniden özetlense de kalır.</translation>
    </message>
</context>
<context>
    <name>SessionsPage</name>
    <message>
        <source>Edit the &amp;phrases…</source>
        <translation>Sö&amp;zleri düzenle…</translation>
    </message>
</context>
<context>
    <name>SettingsView</name>
    <message>
        <source>Settings</source>
        <translation>Ayarlar</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Ayarlarda ara</translation>
    </message>
    <message>
        <source>Settings found</source>
        <translation>Bulunan ayarlar</translation>
    </message>
    <message>
        <source>No setting was found.</source>
        <translation>Ayar bulunamadı.</translation>
    </message>
    <message>
        <source>Settings pages</source>
        <translation>Ayar sayfaları</translation>
    </message>
    <message>
        <source>Removed.</source>
        <translation>Kaldırıldı.</translation>
    </message>
    <message>
        <source>The connection and its key were removed. Undo does not restore the key.</source>
        <translation>Bağlantı ve anahtarı silindi. Geri almak anahtarı getirmez.</translation>
    </message>
</context>
<context>
    <name>ShortcutTable</name>
    <message>
        <source>none</source>
        <translation>tuş yok</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Action</source>
        <translation>Eylem</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tuşlar</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>Yeni tuşlar</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Sıfırla</translation>
    </message>
    <message>
        <source>Reset a&amp;ll</source>
        <translation>&amp;Tümünü sıfırla</translation>
    </message>
    <message>
        <source>Select an action to change its shortcut.</source>
        <translation>Tuşlarını değiştirmek için bir eylem seç.</translation>
    </message>
    <message>
        <source>&amp;Keys for “{action}”</source>
        <translation>“{action}” &amp;tuşları</translation>
    </message>
    <message>
        <source>{keys} is already in use for “{action}”.</source>
        <translation>{keys} zaten “{action}” için kullanılıyor.</translation>
    </message>
    <message>
        <source>Actions and shortcuts</source>
        <translation>Eylemler ve tuşları</translation>
    </message>
    <message>
        <source>&amp;Use for this action</source>
        <translation>Bu eylem için &amp;kullan</translation>
    </message>
</context>
<context>
    <name>ShutdownController</name>
    <message numerus="yes">
        <source>Close Bellek while %n session(s) are being answered?</source>
        <translation>
            <numerusform>%n oturum yanıtlanırken Bellek kapatılsın mı?</numerusform>
        </translation>
    </message>
    <message>
        <source>The answers stop. What has arrived is kept, and you can ask again.</source>
        <translation>Yanıtlar durur. Gelen kısımları saklanır; soruyu yeniden sorabilirsin.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>Keep open</source>
        <translation>Açık kalsın</translation>
    </message>
</context>
<context>
    <name>SideBySidePanel</name>
    <message>
        <source>Attach to the question</source>
        <translation>Soruya ekle</translation>
    </message>
    <message>
        <source>Open in main view</source>
        <translation>Ana görünümde aç</translation>
    </message>
    <message>
        <source>Side by side: {title}</source>
        <translation>Yan panelde: {title}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
</context>
<context>
    <name>SideTabs</name>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>Panel</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Sessions</source>
        <translation>Oturumlar</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>Yeni oturum</translation>
    </message>
    <message>
        <source>All results…</source>
        <translation>Tüm sonuçlar…</translation>
    </message>
    <message>
        <source>Back to other sessions</source>
        <translation>Diğer oturumlara dön</translation>
    </message>
    <message>
        <source>Nothing found for “{query}”.
Try fewer words or the beginning of a word.</source>
        <translation>“{query}” için bir şey bulunamadı.
Daha az sözcükle ya da sözcüğün başıyla dene.</translation>
    </message>
    <message>
        <source>Pinned sessions appear here.</source>
        <translation>Sabitlediğin oturumlar burada görünür.</translation>
    </message>
    <message>
        <source>No other sessions this week.</source>
        <translation>Bu hafta başka oturum yok.</translation>
    </message>
    <message>
        <source>No sessions with the tag “{tag}” here.</source>
        <translation>Burada “{tag}” etiketli oturum yok.</translation>
    </message>
    <message>
        <source>No sessions in this project yet.</source>
        <translation>Bu projede henüz oturum yok.</translation>
    </message>
    <message>
        <source>All sessions belong to a project.</source>
        <translation>Tüm oturumlar bir projede.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Aç</translation>
    </message>
    <message>
        <source>End session</source>
        <translation>Oturumu bitir</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Birleştir</translation>
    </message>
    <message>
        <source>Continue this session</source>
        <translation>Bu oturumu sürdür</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Yeniden adlandır</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Sabitlemeyi kaldır</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Sabitle</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Sil</translation>
    </message>
    <message>
        <source>Your sessions appear here. You can find a session by any word in it.</source>
        <translation>Oturumların burada görünür. İçlerindeki herhangi bir sözcükle yeniden bulabilirsin.</translation>
    </message>
    <message>
        <source>Learn facts from session</source>
        <translation>Oturumdan bilgi öğren</translation>
    </message>
    <message>
        <source>Archived ({count})</source>
        <translation>Arşiv ({count})</translation>
    </message>
    <message>
        <source>No archived sessions.</source>
        <translation>Arşivde oturum yok.</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Arşivden çıkar</translation>
    </message>
    <message>
        <source>No sessions in this period: {days}.</source>
        <translation>Bu günlerde oturum yok: {days}.</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Dışa aktar…</translation>
    </message>
    <message>
        <source>Merge with the previous session…</source>
        <translation>Bir öncekiyle birleştir…</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Metin olarak kopyala</translation>
    </message>
</context>
<context>
    <name>SourceLabels</name>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Word</translation>
    </message>
    <message>
        <source>EPUB</source>
        <translation>EPUB</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Metin</translation>
    </message>
    <message>
        <source>Web</source>
        <translation>Web</translation>
    </message>
    <message numerus="yes">
        <source>%Ln page(s)</source>
        <translation>
            <numerusform>%Ln sayfa</numerusform>
        </translation>
    </message>
    <message>
        <source>part of its record is damaged</source>
        <translation>kaydının bir kısmı bozuk</translation>
    </message>
    <message>
        <source>only the quoted part was read</source>
        <translation>yalnızca alıntılanan yeri okundu</translation>
    </message>
    <message>
        <source>some parts of it could not be read</source>
        <translation>bazı bölümleri okunamadı</translation>
    </message>
    <message>
        <source>scanned pages of it have not been read yet</source>
        <translation>taranmış sayfaları henüz okunmadı</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>Page read on {moment}</source>
        <translation>Okundu: {moment}</translation>
    </message>
    <message>
        <source>File read on {moment}</source>
        <translation>Okundu: {moment}</translation>
    </message>
    <message>
        <source>page {number}</source>
        <translation>sayfa {number}</translation>
    </message>
    <message>
        <source>Article</source>
        <translation>Makale</translation>
    </message>
    <message>
        <source>Book</source>
        <translation>Kitap</translation>
    </message>
    <message>
        <source>Chapter</source>
        <translation>Kitap bölümü</translation>
    </message>
    <message>
        <source>Conference paper</source>
        <translation>Bildiri</translation>
    </message>
    <message>
        <source>Thesis</source>
        <translation>Tez</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Rapor</translation>
    </message>
    <message>
        <source>Preprint</source>
        <translation>Ön baskı</translation>
    </message>
    <message>
        <source>Magazine article</source>
        <translation>Dergi yazısı</translation>
    </message>
    <message>
        <source>Newspaper article</source>
        <translation>Gazete yazısı</translation>
    </message>
    <message>
        <source>Encyclopedia entry</source>
        <translation>Ansiklopedi maddesi</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>Web sayfası</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Veri kümesi</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>Yazılım</translation>
    </message>
    <message>
        <source>Legislation</source>
        <translation>Mevzuat</translation>
    </message>
    <message>
        <source>Patent</source>
        <translation>Patent</translation>
    </message>
    <message>
        <source>Manuscript</source>
        <translation>El yazması</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Belge</translation>
    </message>
    <message>
        <source>{author} et al.</source>
        <translation>{author} vd.</translation>
    </message>
    <message>
        <source>{author} and {other}</source>
        <translation>{author} ve {other}</translation>
    </message>
    <message>
        <source>{page} (printed as {label})</source>
        <translation>{page} (basılı numarası {label})</translation>
    </message>
</context>
<context>
    <name>SourceNotes</name>
    <message>
        <source>Highlight</source>
        <translation>Vurgula</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>Not…</translation>
    </message>
    <message>
        <source>Edit note…</source>
        <translation>Notu düzenle…</translation>
    </message>
    <message>
        <source>Delete note</source>
        <translation>Notu sil</translation>
    </message>
    <message>
        <source>Save a copy with notes…</source>
        <translation>Notlu bir kopya kaydet…</translation>
    </message>
    <message>
        <source>The copy was saved. Notes in it: {count}</source>
        <translation>Kopya kaydedildi. İçindeki notlar: {count}</translation>
    </message>
    <message>
        <source>Select words first: Shift and the arrow keys do it without a mouse.</source>
        <translation>Önce sözleri seç: Shift ve ok tuşlarıyla fare olmadan da seçebilirsin.</translation>
    </message>
</context>
<context>
    <name>SourcesPanel</name>
    <message>
        <source>Sources</source>
        <translation>Kaynaklar</translation>
    </message>
    <message>
        <source>The sources of an answer appear here.</source>
        <translation>Bir yanıtın kaynakları burada sıralanır.</translation>
    </message>
    <message>
        <source>⚠ Contains instructions aimed at a model; they were ignored.</source>
        <translation>⚠ İçinde modele yönelik talimatlar var; bunlar yok sayıldı.</translation>
    </message>
    <message>
        <source>Session · {day}, {time}</source>
        <translation>Oturum · {day}, {time}</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Waits for {model}, which answers another session…</source>
        <translation>{model} başka bir oturumu yanıtlıyor; sıra bekleniyor…</translation>
    </message>
    <message>
        <source>Window language</source>
        <translation>Pencerenin dili</translation>
    </message>
    <message>
        <source>No model connected</source>
        <translation>Bağlı model yok</translation>
    </message>
    <message>
        <source>Not reachable: {model}</source>
        <translation>Ulaşılamadı: {model}</translation>
    </message>
    <message>
        <source>Connected: {model}</source>
        <translation>Bağlı: {model}</translation>
    </message>
    <message>
        <source>Temporary session, not saved</source>
        <translation>Geçici oturum, kaydedilmiyor</translation>
    </message>
    <message>
        <source>Saved {time}</source>
        <translation>Kaydedildi {time}</translation>
    </message>
    <message>
        <source>This session: {tokens} tokens</source>
        <translation>Bu oturum: {tokens} jeton</translation>
    </message>
    <message>
        <source>Waiting for your permission</source>
        <translation>İznin bekleniyor</translation>
    </message>
    <message>
        <source>Searched past sessions</source>
        <translation>Geçmiş oturumlarda arandı</translation>
    </message>
    <message>
        <source>No key: {model}</source>
        <translation>Anahtar yok: {model}</translation>
    </message>
    <message>
        <source>Preparing search by meaning: {done} of {count} sessions</source>
        <translation>Anlama göre arama hazırlanıyor: {done} / {count} oturum</translation>
    </message>
    <message>
        <source>Planning…</source>
        <translation>Planlanıyor…</translation>
    </message>
    <message>
        <source>Searching the library and past sessions…</source>
        <translation>Kitaplıkta ve geçmiş oturumlarda aranıyor…</translation>
    </message>
    <message>
        <source>Looking for evidence…</source>
        <translation>Kanıt aranıyor…</translation>
    </message>
    <message>
        <source>Looking for gaps…</source>
        <translation>Eksikler aranıyor…</translation>
    </message>
    <message>
        <source>Comparing the sources…</source>
        <translation>Kaynaklar karşılaştırılıyor…</translation>
    </message>
    <message>
        <source>Searching past sessions…</source>
        <translation>Geçmiş oturumlarda aranıyor…</translation>
    </message>
    <message>
        <source>Waiting for the model…</source>
        <translation>Model bekleniyor…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Yazılıyor…</translation>
    </message>
    <message>
        <source>Reading your message…</source>
        <translation>Mesajın okunuyor…</translation>
    </message>
    <message>
        <source>Writing the answer again…</source>
        <translation>Yanıt yeniden yazılıyor…</translation>
    </message>
    <message>
        <source>Program status</source>
        <translation>Programın durumu</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Hızlı</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Araştırma</translation>
    </message>
    <message>
        <source>Deep</source>
        <translation>Derin</translation>
    </message>
    <message>
        <source>Answering model (opens Settings)</source>
        <translation>Yanıtlayan model (ayarları açar)</translation>
    </message>
    <message>
        <source>The plan is waiting for your approval</source>
        <translation>Plan onayını bekliyor</translation>
    </message>
    <message>
        <source>Not saved yet. Trying again…</source>
        <translation>Henüz kaydedilmedi. Yeniden deneniyor…</translation>
    </message>
    <message>
        <source>Reading the sources…</source>
        <translation>Kaynaklar okunuyor…</translation>
    </message>
    <message>
        <source>Checking each claim…</source>
        <translation>Her iddia denetleniyor…</translation>
    </message>
    <message>
        <source>Answered by Bellek itself</source>
        <translation>Bellek yanıtladı</translation>
    </message>
    <message>
        <source>Summarising older messages…</source>
        <translation>Eski mesajlar özetleniyor…</translation>
    </message>
    <message>
        <source>Key not accepted: {model}</source>
        <translation>Anahtar kabul edilmedi: {model}</translation>
    </message>
    <message>
        <source>on this computer only</source>
        <translation>yalnızca bu bilgisayarda</translation>
    </message>
    <message>
        <source>Opens Devices and sharing</source>
        <translation>Cihazlar ve paylaşım sayfasını açar</translation>
    </message>
    <message>
        <source>Preparing search with the new model: {done} of {count}</source>
        <translation>Arama yeni modelle hazırlanıyor: {done}/{count}</translation>
    </message>
</context>
<context>
    <name>Suggestions</name>
    <message>
        <source>Earlier:</source>
        <translation>Daha önce:</translation>
    </message>
    <message>
        <source>Past sessions related to what you are writing</source>
        <translation>Yazdığınla ilgili geçmiş oturumlar</translation>
    </message>
    <message>
        <source>Open in a side panel: {title}</source>
        <translation>Yan panelde aç: {title}</translation>
    </message>
    <message>
        <source>Attach to the question: {title}</source>
        <translation>Soruya ekle: {title}</translation>
    </message>
</context>
<context>
    <name>SummariesDialog</name>
    <message>
        <source>Summaries of older messages</source>
        <translation>Eski mesajların özetleri</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Okunuyor…</translation>
    </message>
    <message>
        <source>No messages in this session have been summarised.</source>
        <translation>Bu oturumda mesajların yerine geçen bir özet yok.</translation>
    </message>
    <message>
        <source>The model receives these summaries instead of the older messages. All messages are still in the session.</source>
        <translation>Model bu mesajların yerine aşağıdaki özetleri okur. Mesajların kendisi oturumda eksiksiz duruyor.</translation>
    </message>
    <message>
        <source>Messages {first}–{last}</source>
        <translation>{first}–{last}. mesajlar</translation>
    </message>
    <message>
        <source>Go to message {number}</source>
        <translation>{number}. mesaja git</translation>
    </message>
</context>
<context>
    <name>TableBlock</name>
    <message>
        <source>Table</source>
        <translation>Tablo</translation>
    </message>
</context>
<context>
    <name>TagMenu</name>
    <message>
        <source>Another tag…</source>
        <translation>Başka bir etiket…</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Etiketler</translation>
    </message>
    <message>
        <source>New tag…</source>
        <translation>Yeni etiket…</translation>
    </message>
    <message>
        <source>New tag</source>
        <translation>Yeni etiket</translation>
    </message>
    <message>
        <source>Name of the tag</source>
        <translation>Etiketin adı</translation>
    </message>
</context>
<context>
    <name>TextPane</name>
    <message>
        <source>This link leads to {host}. Open it?</source>
        <translation>Bu bağlantı {host} adresine gidiyor. Açılsın mı?</translation>
    </message>
    <message>
        <source>Its text looks like another address. It leads to:
{target}</source>
        <translation>Metni başka bir adres gibi görünüyor. Gittiği yer:
{target}</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Aç</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
</context>
<context>
    <name>TextQuestion</name>
    <message>
        <source>Save</source>
        <translation>Kaydet</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
</context>
<context>
    <name>TierChoice</name>
    <message>
        <source>Depth: {tier}</source>
        <translation>Derinlik: {tier}</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Derinlik</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Otomatik</translation>
    </message>
    <message>
        <source>Bellek chooses the depth for each question and explains the choice.</source>
        <translation>Bellek her sorunun derinliğini seçer ve nedenini söyler.</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Hızlı</translation>
    </message>
    <message>
        <source>Research</source>
        <translation>Araştırma</translation>
    </message>
    <message>
        <source>Deep</source>
        <translation>Derin</translation>
    </message>
    <message>
        <source>Searches the library and past sessions once, and the web at most twice.</source>
        <translation>Kitaplıkta ve geçmiş oturumlarda bir kez, web’de en çok iki kez arar.</translation>
    </message>
    <message>
        <source>Splits the question into a few sub-questions, reads some pages and checks for gaps once.</source>
        <translation>Soruyu alt sorulara böler, birkaç sayfa okur, eksikleri bir kez arar.</translation>
    </message>
    <message>
        <source>Makes a plan that you can change, checks the evidence word for word and writes a report. Applies only to the next question.</source>
        <translation>Değiştirebileceğin bir plan yapar, kanıtları sözcüğü sözcüğüne doğrular ve rapor yazar. Yalnızca sıradaki soru için geçerlidir.</translation>
    </message>
</context>
<context>
    <name>ToolServerNotices</name>
    <message>
        <source>Tools of {servers} are new or have changed. They are not offered to the model before you have looked at them.</source>
        <translation>{servers} araçları yeni ya da değişti. Sen bakmadan modele sunulmazlar.</translation>
    </message>
    <message>
        <source>Look at them…</source>
        <translation>Bak…</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Şimdi değil</translation>
    </message>
</context>
<context>
    <name>ToolPermissionPrompt</name>
    <message>
        <source>The model wants to use a tool: {purpose}</source>
        <translation>Model bir araç kullanmak istiyor: {purpose}</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>İzin ver</translation>
    </message>
    <message>
        <source>Don’t allow</source>
        <translation>İzin verme</translation>
    </message>
    <message>
        <source>This request seems to come from a source, not from you: {purpose}</source>
        <translation>Bunu sen değil, okunan bir metin istiyor gibi: {purpose}</translation>
    </message>
    <message>
        <source>Show all…</source>
        <translation>Tümünü göster…</translation>
    </message>
</context>
<context>
    <name>ToolsPage</name>
    <message>
        <source>Ask me first</source>
        <translation>Önce bana sor</translation>
    </message>
    <message>
        <source>Ask me first: {purpose}</source>
        <translation>Önce bana sor: {purpose}</translation>
    </message>
    <message>
        <source>parameters: {parameters}</source>
        <translation>parametreler: {parameters}</translation>
    </message>
    <message>
        <source>Models that support tools can use the tools below while answering. Each call appears in the answer’s trace. You can choose to be asked before a tool is used.</source>
        <translation>Araç kullanabilen modeller, yanıt verirken aşağıdaki araçları kullanabilir. Her kullanım yanıtın izinde görünür. Bir aracın kullanılmadan önce sana sorulmasını isteyebilirsin.</translation>
    </message>
</context>
<context>
    <name>TraceLabels</name>
    <message>
        <source>waiting for your permission</source>
        <translation>iznini bekliyor</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>yapılmadı</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>başarısız</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} jeton</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Jeton</translation>
    </message>
    <message>
        <source>Searches</source>
        <translation>Arama</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Sayfa</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Süre</translation>
    </message>
    <message>
        <source>price unknown</source>
        <translation>fiyatı bilinmiyor</translation>
    </message>
    <message numerus="yes">
        <source>%n sub-question(s)</source>
        <translation>
            <numerusform>%n alt soru</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passage(s)</source>
        <translation>
            <numerusform>%n pasaj</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n claim(s)</source>
        <translation>
            <numerusform>%n iddia</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n contradiction(s)</source>
        <translation>
            <numerusform>%n çelişki</numerusform>
        </translation>
    </message>
    <message>
        <source>Assessment</source>
        <translation>Değerlendirme</translation>
    </message>
    <message>
        <source>Preparation and tools</source>
        <translation>Hazırlık ve araçlar</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Yazma</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Denetim</translation>
    </message>
    <message>
        <source>Library and past sessions</source>
        <translation>Kitaplık ve geçmiş oturumlar</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Kanıt</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Okuma</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>Eksikler</translation>
    </message>
    <message>
        <source>Comparing the sources</source>
        <translation>Kaynakların karşılaştırılması</translation>
    </message>
    <message>
        <source>already done, not charged again</source>
        <translation>önceden yapılmıştı; yeniden ücretlendirilmedi</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>yapılmadı: izin verilmedi</translation>
    </message>
    <message>
        <source>check failed, trying again</source>
        <translation>yeterli değildi; yeniden deneniyor</translation>
    </message>
    <message>
        <source>Bellek added the missing parts</source>
        <translation>eksik kalanı Bellek ekledi</translation>
    </message>
    <message>
        <source>check failed again, noted in the answer</source>
        <translation>yine yeterli olmadı; yanıtta belirtildi</translation>
    </message>
    <message>
        <source>Checking each claim</source>
        <translation>İddiaların denetlenmesi</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Ücret</translation>
    </message>
    <message>
        <source>Tool selection</source>
        <translation>Araçların seçimi</translation>
    </message>
</context>
<context>
    <name>TracePanel</name>
    <message>
        <source>Trace</source>
        <translation>İz</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Adımlar</translation>
    </message>
    <message>
        <source>Sources read</source>
        <translation>Okunan kaynaklar</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>İzi kopyala</translation>
    </message>
    <message>
        <source>Show the newest answer</source>
        <translation>En yeni yanıtı göster</translation>
    </message>
    <message>
        <source>Answer to “{question}”</source>
        <translation>“{question}” sorusunun yanıtı için</translation>
    </message>
    <message>
        <source>No trace was saved for this answer.</source>
        <translation>Bu yanıt için yapılanların kaydı yok.</translation>
    </message>
    <message>
        <source>Without content</source>
        <translation>İçerik olmadan</translation>
    </message>
    <message>
        <source>With questions, titles and addresses</source>
        <translation>Sorular, başlıklar ve adreslerle</translation>
    </message>
    <message>
        <source>⚠ {title}</source>
        <translation>⚠ {title}</translation>
    </message>
    <message>
        <source>Contains instructions aimed at a model; they were ignored.</source>
        <translation>İçinde modele yönelik talimatlar var; bunlar yok sayıldı.</translation>
    </message>
    <message>
        <source>After your next question, this panel shows how Bellek made the answer: each decision and its reason, the time and cost of each step, and every source read.</source>
        <translation>Sıradaki sorudan sonra burada Bellek’in yanıt için yaptıkları görünür: neye neden karar verdiği, süresi ve bedeliyle her adım, okuduğu her kaynak.</translation>
    </message>
    <message>
        <source>running</source>
        <translation>sürüyor</translation>
    </message>
</context>
<context>
    <name>TranscriptMenu</name>
    <message>
        <source>Compare with…</source>
        <translation>Karşılaştır…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopyala</translation>
    </message>
    <message>
        <source>Copy message as Markdown</source>
        <translation>Mesajı Markdown olarak kopyala</translation>
    </message>
    <message>
        <source>Export answer…</source>
        <translation>Yanıtı dışa aktar…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Bağlantının adresini kopyala</translation>
    </message>
    <message>
        <source>Select the whole message</source>
        <translation>Mesajın tümünü seç</translation>
    </message>
    <message>
        <source>Quote selection</source>
        <translation>Seçimi alıntıla</translation>
    </message>
    <message>
        <source>Quote this message</source>
        <translation>Bu mesajı alıntıla</translation>
    </message>
    <message>
        <source>Search all sessions for “{words}”</source>
        <translation>“{words}” için tüm oturumlarda ara</translation>
    </message>
    <message>
        <source>Print answer…</source>
        <translation>Yanıtı yazdır…</translation>
    </message>
    <message>
        <source>Highlight</source>
        <translation>Vurgula</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>Not…</translation>
    </message>
    <message>
        <source>Edit note…</source>
        <translation>Notu düzenle…</translation>
    </message>
    <message>
        <source>Copy message with formatting</source>
        <translation>Mesajı biçimiyle kopyala</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabloyu kopyala</translation>
    </message>
    <message>
        <source>Copy table as Markdown</source>
        <translation>Tabloyu Markdown olarak kopyala</translation>
    </message>
    <message>
        <source>Check the claims of this answer</source>
        <translation>Bu yanıttaki iddiaları denetle</translation>
    </message>
    <message>
        <source>Write into a notes folder…</source>
        <translation>Not klasörüne yaz…</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Go to the newest message</source>
        <translation>En yeni mesaja git</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Konuşma</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Show Bellek</source>
        <translation>Bellek’i göster</translation>
    </message>
    <message>
        <source>The answer is ready.</source>
        <translation>Yanıt hazır.</translation>
    </message>
    <message>
        <source>The answer could not be finished.</source>
        <translation>Yanıt tamamlanamadı.</translation>
    </message>
    <message>
        <source>A research plan is waiting for you.</source>
        <translation>Bir araştırma planı seni bekliyor.</translation>
    </message>
    <message>
        <source>An answer is waiting for your permission.</source>
        <translation>Bir yanıt iznini bekliyor.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Aç</translation>
    </message>
</context>
<context>
    <name>UnlockWindow</name>
    <message>
        <source>Passphrase</source>
        <translation>Parola</translation>
    </message>
    <message>
        <source>&amp;Unlock</source>
        <translation>Kilidi &amp;aç</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Çı&amp;k</translation>
    </message>
    <message>
        <source>Bellek is locked</source>
        <translation>Bellek kilitli</translation>
    </message>
    <message>
        <source>The profile “{name}” is locked</source>
        <translation>“{name}” profili kilitli</translation>
    </message>
    <message>
        <source>Enter your passphrase to open your sessions.</source>
        <translation>Oturumlarını açmak için parolanı yaz.</translation>
    </message>
    <message>
        <source>If you have forgotten it, enter your recovery key.</source>
        <translation>Unuttuysan kurtarma anahtarını yaz.</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Açılıyor…</translation>
    </message>
    <message>
        <source>The backup “{name}” is locked</source>
        <translation>“{name}” yedeği kilitli</translation>
    </message>
    <message>
        <source>Enter the passphrase that its profile had when the backup was written.</source>
        <translation>Yedek yazıldığı sırada profilin parolası neyse onu yaz.</translation>
    </message>
</context>
<context>
    <name>UnseenPictures</name>
    <message>
        <source>It is not known whether {model} can see pictures.</source>
        <translation>{model} modelinin resimleri görüp görmediği bilinmiyor.</translation>
    </message>
    <message>
        <source>Send without pictures</source>
        <translation>Resimsiz gönder</translation>
    </message>
    <message>
        <source>Use {model}</source>
        <translation>{model} ile gönder</translation>
    </message>
    <message>
        <source>{model} could not see pictures when it was tested.</source>
        <translation>{model} sınandığında resimleri göremedi.</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Yine de gönder</translation>
    </message>
    <message>
        <source>Test the model</source>
        <translation>Modeli sına</translation>
    </message>
    <message>
        <source>Testing {model}…</source>
        <translation>{model} sınanıyor…</translation>
    </message>
    <message>
        <source>{model} did not answer the test.</source>
        <translation>{model} sınamaya yanıt vermedi.</translation>
    </message>
    <message>
        <source>{model} can see pictures.</source>
        <translation>{model} resimleri görüyor.</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Gönder</translation>
    </message>
    <message>
        <source>{model} cannot see pictures.</source>
        <translation>{model} resimleri göremiyor.</translation>
    </message>
</context>
<context>
    <name>UsedPassages</name>
    <message>
        <source>shown</source>
        <translation>açık</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>kapalı</translation>
    </message>
    <message>
        <source>{title} · {day}</source>
        <translation>{title} · {day}</translation>
    </message>
    <message>
        <source>Earlier in this session</source>
        <translation>Bu oturumda daha önce</translation>
    </message>
    <message>
        <source>Leave out and ask again</source>
        <translation>Çıkarıp yeniden sor</translation>
    </message>
    <message>
        <source>Leave out “{title}” and ask again</source>
        <translation>“{title}” oturumunu çıkarıp yeniden sor</translation>
    </message>
    <message numerus="yes">
        <source>Passages from %n past session(s) sent</source>
        <translation>
            <numerusform>%n geçmiş oturumdan pasaj gönderildi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Passages from %n document(s) sent</source>
        <translation>
            <numerusform>%n belgeden pasaj gönderildi</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s) sent</source>
        <translation>
            <numerusform>%n bilgi gönderildi</numerusform>
        </translation>
    </message>
    <message>
        <source>Earlier messages in this session were sent</source>
        <translation>Bu oturumun önceki mesajları gönderildi</translation>
    </message>
    <message>
        <source>Remembered: {fact}</source>
        <translation>Hatırlanan: {fact}</translation>
    </message>
    <message>
        <source>Diary · {day}</source>
        <translation>Günlük · {day}</translation>
    </message>
</context>
<context>
    <name>VariablesDialog</name>
    <message>
        <source>Insert</source>
        <translation>Ekle</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
</context>
<context>
    <name>VersionColumn</name>
    <message>
        <source>Go on with this</source>
        <translation>Bununla devam et</translation>
    </message>
    <message>
        <source>{place} of {count}: {model}</source>
        <translation>{place}/{count}: {model}</translation>
    </message>
</context>
<context>
    <name>WatchesDialog</name>
    <message>
        <source>Watches</source>
        <translation>İzlemeler</translation>
    </message>
    <message>
        <source>While Bellek is open, it looks once a day or week for what is new, and quotes it in the diary. Feeds and questions need the web, the others literature.</source>
        <translation>Bellek açıkken günde ya da haftada bir yeniliklere bakar ve bulduğunu günlükte alıntılar. Akışlar ve sorular için web, ötekiler için bilimsel yayın araması açık olmalı.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Tür</translation>
    </message>
    <message>
        <source>What is watched</source>
        <translation>Ne izleniyor</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>Ne sıklıkla</translation>
    </message>
    <message>
        <source>Question, address or words</source>
        <translation>Soru, adres ya da sözler</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Ekle</translation>
    </message>
    <message>
        <source>Nothing is watched.</source>
        <translation>İzlenen bir şey yok.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Duraklat</translation>
    </message>
    <message>
        <source>Look now</source>
        <translation>Şimdi bak</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Kaldır</translation>
    </message>
    <message>
        <source>Looking: {subject}</source>
        <translation>Bakılıyor: {subject}</translation>
    </message>
    <message>
        <source>Nothing new.</source>
        <translation>Yeni bir şey yok.</translation>
    </message>
    <message numerus="yes">
        <source>%n new; the diary quotes it.</source>
        <translation>
            <numerusform>%n yeni; günlükte alıntılandı.</numerusform>
        </translation>
    </message>
    <message>
        <source>“{subject}” is no longer watched.</source>
        <translation>“{subject}” artık izlenmiyor.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Soru</translation>
    </message>
    <message>
        <source>Feed (RSS, Atom)</source>
        <translation>Akış (RSS, Atom)</translation>
    </message>
    <message>
        <source>Literature</source>
        <translation>Bilimsel yayınlar</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Yazar</translation>
    </message>
    <message>
        <source>Journal</source>
        <translation>Dergi</translation>
    </message>
    <message>
        <source>Every day</source>
        <translation>Her gün</translation>
    </message>
    <message>
        <source>Every week</source>
        <translation>Her hafta</translation>
    </message>
</context>
<context>
    <name>WebLogDialog</name>
    <message>
        <source>Contacted addresses</source>
        <translation>Bağlanılan adresler</translation>
    </message>
    <message>
        <source>Purpose</source>
        <translation>Ne için</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adres</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Sonuç</translation>
    </message>
    <message>
        <source>Clear the &amp;list</source>
        <translation>&amp;Listeyi temizle</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>Ka&amp;pat</translation>
    </message>
    <message>
        <source>Web addresses that Bellek contacted, newest first. Addresses contacted by a model’s server with its own tools are marked. Search words are not saved in this list. Model connections are listed under Privacy.</source>
        <translation>Bellek’in web’de bağlandığı adresler, en yenisi üstte. Modelin sunucusunun kendi araçlarıyla bağlandıkları ayrıca belirtilir. Aranan sözler bu listede tutulmaz. Model bağlantıları Gizlilik sayfasındadır.</translation>
    </message>
    <message>
        <source>The list was cleared.</source>
        <translation>Liste temizlendi.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Ara</translation>
    </message>
    <message>
        <source>robots.txt</source>
        <translation>robots.txt</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Sayfa</translation>
    </message>
    <message>
        <source>Literature</source>
        <translation>Bilimsel yayın</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>yanıt geldi</translation>
    </message>
    <message>
        <source>redirected</source>
        <translation>başka adrese yöneltti</translation>
    </message>
    <message>
        <source>refused by the site</source>
        <translation>site izin vermedi</translation>
    </message>
    <message>
        <source>blocked by Bellek</source>
        <translation>Bellek engelledi</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>yanıt yok</translation>
    </message>
    <message>
        <source>loaded by the model’s server</source>
        <translation>modelin sunucusu bağlandı</translation>
    </message>
    <message>
        <source>not loaded by the model’s server</source>
        <translation>modelin sunucusu bağlanamadı</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Ne zaman</translation>
    </message>
    <message>
        <source>No web addresses have been contacted.</source>
        <translation>Web’de hiçbir adrese bağlanılmadı.</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Geri al</translation>
    </message>
</context>
<context>
    <name>WebPermissionPrompt</name>
    <message>
        <source>Turn on for this question</source>
        <translation>Bu soru için aç</translation>
    </message>
    <message>
        <source>Turn on</source>
        <translation>Aç</translation>
    </message>
    <message>
        <source>Web access was off, so this answer uses only your own sessions and documents.</source>
        <translation>Web kapalıydı; bu soru kendi oturumların ve belgelerinle yanıtlandı.</translation>
    </message>
    <message>
        <source>Web access is off, so this answer uses only your own sessions and documents.</source>
        <translation>Web kapalı; bu soru kendi oturumların ve belgelerinle yanıtlanıyor.</translation>
    </message>
    <message>
        <source>Leave off</source>
        <translation>Kapalı kalsın</translation>
    </message>
</context>
<context>
    <name>WelcomeDialog</name>
    <message>
        <source>Welcome to Bellek</source>
        <translation>Bellek’e hoş geldin</translation>
    </message>
    <message>
        <source>Where should answers come from?</source>
        <translation>Yanıtlar nereden gelsin?</translation>
    </message>
    <message>
        <source>Add the sampl&amp;e sessions</source>
        <translation>Ö&amp;rnek oturumları ekle</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Dil</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>Sistemin dili</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Tema</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>Sistemin teması</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Açık</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Koyu</translation>
    </message>
    <message>
        <source>S&amp;kip</source>
        <translation>At&amp;la</translation>
    </message>
    <message>
        <source>S&amp;tart</source>
        <translation>&amp;Başla</translation>
    </message>
    <message>
        <source>Continue &amp;anyway</source>
        <translation>&amp;Yine de başla</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Bağlanılıyor…</translation>
    </message>
    <message>
        <source>Bellek answers your questions and remembers what you tell it. Everything is saved on your own disk.</source>
        <translation>Bellek sorularını yanıtlar ve söylediklerini hatırlar. Her şey kendi diskine kaydedilir.</translation>
    </message>
    <message>
        <source>Sample research sessions in Turkish and English, so that you can try searching and continuing sessions. You can delete them at any time.</source>
        <translation>Aramayı ve oturum sürdürmeyi denemen için Türkçe ve İngilizce örnek araştırma oturumları. İstediğin zaman silebilirsin.</translation>
    </message>
</context>
<context>
    <name>WindowDialogs</name>
    <message>
        <source>Open folder</source>
        <translation>Klasörü aç</translation>
    </message>
    <message>
        <source>Show the previous archive</source>
        <translation>Önceki arşivi göster</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Geri yükle</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>Restore “{name}” from {day}?</source>
        <translation>{day} tarihli “{name}” geri yüklensin mi?</translation>
    </message>
    <message>
        <source>Writing the backup…</source>
        <translation>Yedek yazılıyor…</translation>
    </message>
    <message>
        <source>Restoring the backup…</source>
        <translation>Yedek geri yükleniyor…</translation>
    </message>
    <message>
        <source>Bellek will restart with the backup. Your current archive will be kept with the other backups.</source>
        <translation>Bellek bu yedekle yeniden açılır. Şimdiki arşivin diğer yedeklerle birlikte saklanır.</translation>
    </message>
    <message>
        <source>Encrypting or decrypting the profile… {percent}%</source>
        <translation>Profil şifreleniyor ya da çözülüyor… %{percent}</translation>
    </message>
    <message>
        <source>This backup has its own passphrase: the one that its profile had when it was written. Bellek asks for it after the restart.</source>
        <translation>Bu yedeğin kendi parolası var: yazıldığı sırada profilin parolası neyse o. Bellek yeniden açılınca bu parolayı sorar.</translation>
    </message>
    <message>
        <source>Check everything, and repair what is damaged?</source>
        <translation>Her şey denetlensin, bozuk olan onarılsın mı?</translation>
    </message>
    <message>
        <source>Bellek restarts and reads the whole archive, which can take several minutes. Unreadable data is set aside in the backup folder, and you see which sessions are affected.</source>
        <translation>Bellek yeniden başlar ve tüm arşivi okur; bu birkaç dakika sürebilir. Okunamayan veriler yedek klasöründe saklanır, hangi oturumların etkilendiği gösterilir.</translation>
    </message>
    <message>
        <source>Check and repair</source>
        <translation>Denetle ve onar</translation>
    </message>
    <message>
        <source>Checking the archive…</source>
        <translation>Arşiv denetleniyor…</translation>
    </message>
    <message>
        <source>Import a folder</source>
        <translation>Klasörü içe aktar</translation>
    </message>
</context>
<context>
    <name>WindowHousekeeping</name>
    <message numerus="yes">
        <source>%n scanned document(s) were read; search finds them.</source>
        <translation>
            <numerusform>%n taranmış belge okundu; artık aranabilir.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) in your library or your answers were retracted or corrected; their titles say so.</source>
        <translation>
            <numerusform>Kitaplığındaki ya da yanıtlarındaki %n eser geri çekilmiş ya da düzeltilmiş; başlıklarında yazıyor.</numerusform>
        </translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Göster</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Şimdi değil</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) have not been used for 90 days. They will leave the list, but you can open them from its last line and find them with search. Continuing a session brings it back. Bellek will then archive old sessions once a day until you turn off archiving in Settings.</source>
        <translation>
            <numerusform>Bu %n oturuma 90 gündür dokunulmadı. Listeden çıkarlar, listenin sonundaki satırdan açılırlar; arama onları eskisi gibi bulur. Sürdürdüğün oturum listeye döner. Bundan sonra bu her gün bir kez yapılır; ayarlardan kapatabilirsin.</numerusform>
        </translation>
    </message>
    <message>
        <source>Archive old sessions</source>
        <translation>Eski oturumları arşivle</translation>
    </message>
    <message numerus="yes">
        <source>The messages in %n archived session(s) take up about {size} of the archive’s {whole} MB.</source>
        <translation>
            <numerusform>Arşivdeki %n oturumun mesajları, {whole} MB büyüklüğündeki veritabanında yaklaşık {size} MB tutuyor.</numerusform>
        </translation>
    </message>
    <message>
        <source>Export and remove…</source>
        <translation>Dışa aktar ve sil…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message numerus="yes">
        <source>Exporting %n session(s): {percent}% done.</source>
        <translation>
            <numerusform>%n oturum dışa aktarılıyor: %{percent} tamamlandı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) not used for 90 days were archived.</source>
        <translation>
            <numerusform>90 gündür dokunulmayan %n oturum arşivlendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Archive %n session(s) not used for 90 days? They will leave this list, but you can still find them.</source>
        <translation>
            <numerusform>Bellek 90 gündür dokunulmayan %n oturumu arşivleyebilir. Listeden çıkarlar, aramada eskisi gibi bulunurlar.</numerusform>
        </translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Arşivle</translation>
    </message>
    <message>
        <source>Bellek can export them to a file, check the file, and then remove them from the archive. Titles, summaries, topics and facts stay and can still be found. Importing the file brings the messages back.</source>
        <translation>Bellek onları bir dosyaya aktarır, dosyayı denetler, sonra mesajları siler. Başlıklar, özetler, konular ve bilgiler kalır, aramada yine bulunur. Dosyayı içe aktarınca mesajlar geri gelir.</translation>
    </message>
    <message>
        <source>No archived session has messages to remove.</source>
        <translation>Arşivde mesajları silinebilecek oturum yok.</translation>
    </message>
    <message numerus="yes">
        <source>The messages of %n session(s) were exported to {file} and removed. The archive will shrink from {before} to about {after} MB the next time Bellek starts.</source>
        <translation>
            <numerusform>%n oturumun mesajları {file} dosyasına aktarıldı ve silindi. Bellek yeniden açılınca veritabanı {before} MB iken yaklaşık {after} MB olacak.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WindowNotices</name>
    <message>
        <source>Details…</source>
        <translation>Ayrıntılar…</translation>
    </message>
    <message numerus="yes">
        <source>The titles and summaries of %n session(s) were extracted from their text. Should the connected model rewrite them?</source>
        <translation>
            <numerusform>%n oturumun başlığı ve özeti kendi metninden çıkarıldı. Bağladığın model bunları yeniden yazsın mı?</numerusform>
        </translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Şimdi değil</translation>
    </message>
    <message>
        <source>“{title}” has ended.</source>
        <translation>“{title}” bitti.</translation>
    </message>
    <message>
        <source>Something went wrong in Bellek ({bug}). The log contains the details.</source>
        <translation>Bellek’te bir şey ters gitti ({bug}). Ayrıntılar günlük dosyasında.</translation>
    </message>
    <message>
        <source>Show damaged rows</source>
        <translation>Bozuk satırları göster</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>Yazsın</translation>
    </message>
    <message>
        <source>The temporary session has ended. Nothing was saved.</source>
        <translation>Geçici oturum bitti. Hiçbir şey saklanmadı.</translation>
    </message>
    <message>
        <source>The last message could not be saved. It is kept while Bellek is open, and Bellek keeps trying to save it.</source>
        <translation>Son mesaj kaydedilemedi. Bellek açık kaldıkça korunur; Bellek onu kaydetmeyi denemeyi sürdürür.</translation>
    </message>
    <message>
        <source>Restart and repair</source>
        <translation>Yeniden başlat ve onar</translation>
    </message>
    <message>
        <source>The quick-question shortcut could not be registered: another program uses it, or this desktop does not allow it. Choose another shortcut, or create one in the desktop’s settings that runs “bellek quick”.</source>
        <translation>Hızlı soru kısayolu ayarlanamadı: Tuşu başka bir program kullanıyor ya da bu masaüstü buna izin vermiyor. Başka bir tuş seç ya da masaüstünün ayarlarında “bellek quick” komutuna bir kısayol ver.</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Klasörde göster</translation>
    </message>
    <message>
        <source>Question sent</source>
        <translation>Soru gönderildi</translation>
    </message>
    <message>
        <source>The answer is arriving</source>
        <translation>Yanıt geliyor</translation>
    </message>
    <message>
        <source>The answer was stopped</source>
        <translation>Yanıt durduruldu</translation>
    </message>
    <message>
        <source>The answer is complete</source>
        <translation>Yanıt tamamlandı</translation>
    </message>
</context>
<context>
    <name>WindowPresenter</name>
    <message>
        <source>{title} – Bellek</source>
        <translation>{title} – Bellek</translation>
    </message>
</context>
<context>
    <name>WorkLabels</name>
    <message>
        <source>Title</source>
        <translation>Başlık</translation>
    </message>
    <message>
        <source>Authors</source>
        <translation>Yazarlar</translation>
    </message>
    <message>
        <source>Year</source>
        <translation>Yıl</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Tür</translation>
    </message>
    <message>
        <source>Project, tags</source>
        <translation>Proje, etiketler</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Eklendi</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Okundu</translation>
    </message>
    <message>
        <source>file not found</source>
        <translation>dosya bulunamadı</translation>
    </message>
    <message numerus="yes">
        <source>%Ln passage(s)</source>
        <translation>
            <numerusform>%Ln pasaj</numerusform>
        </translation>
    </message>
    <message>
        <source>copy saved</source>
        <translation>kopyası saklı</translation>
    </message>
    <message>
        <source>read</source>
        <translation>okundu</translation>
    </message>
    <message>
        <source>unread</source>
        <translation>okunmadı</translation>
    </message>
</context>
<context>
    <name>ZoteroDialog</name>
    <message numerus="yes">
        <source>%n note(s) added.</source>
        <translation>
            <numerusform>%n not eklendi.</numerusform>
        </translation>
    </message>
    <message>
        <source>Collection</source>
        <translation>Koleksiyon</translation>
    </message>
    <message>
        <source>&amp;Read changes</source>
        <translation>&amp;Değişenleri oku</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Tut</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>Kaldı&amp;r</translation>
    </message>
    <message>
        <source>Add from Zotero</source>
        <translation>Zotero’dan ekle</translation>
    </message>
    <message>
        <source>The whole library</source>
        <translation>Tüm kitaplık</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Ekle</translation>
    </message>
    <message>
        <source>&amp;Try again</source>
        <translation>&amp;Yeniden dene</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Durduruluyor…</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Okunuyor…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Durduruldu</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Bitti</translation>
    </message>
    <message>
        <source>Zotero was not read</source>
        <translation>Zotero okunamadı</translation>
    </message>
    <message>
        <source>Asking Zotero…</source>
        <translation>Zotero’ya soruluyor…</translation>
    </message>
    <message>
        <source>If you cancel, the works added so far are kept.</source>
        <translation>Vazgeçersen, o ana kadar eklenen eserler kalır.</translation>
    </message>
    <message>
        <source>Works come with their PDFs and stay connected: what changes in Zotero can be read again. Zotero itself is not changed. Annotations of the PDFs become notes.</source>
        <translation>Eserler PDF’leriyle birlikte eklenir ve bağlı kalır: Zotero’da değişenler yeniden okunabilir. Zotero’da hiçbir şey değiştirilmez. PDF üzerindeki işaretler not olur.</translation>
    </message>
    <message>
        <source>Nothing has changed.</source>
        <translation>Değişen bir şey yok.</translation>
    </message>
    <message>
        <source>File {number} of {count}: {name}</source>
        <translation>Dosya {number}/{count}: {name}</translation>
    </message>
    <message>
        <source>✗ {name}: {why}</source>
        <translation>✗ {name}: {why}</translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) added.</source>
        <translation>
            <numerusform>%n eser eklendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them have no PDF.</source>
        <translation>
            <numerusform>%n tanesinin PDF’i yok.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) filled in.</source>
        <translation>
            <numerusform>%n eserin künyesi tamamlandı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) read again.</source>
        <translation>
            <numerusform>%n eser yeniden okundu.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be read.</source>
        <translation>
            <numerusform>%n dosya okunamadı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n work(s) are no longer in Zotero. Remove them here, too?</source>
        <translation>
            <numerusform>%n eser artık Zotero’da yok. Buradan da kaldırılsın mı?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Adding</name>
    <message>
        <source>Stop</source>
        <translation>Durdur</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Durduruluyor…</translation>
    </message>
    <message>
        <source>Looking for documents…</source>
        <translation>Belgeler aranıyor…</translation>
    </message>
    <message>
        <source>Adding file {number} of {count}: {name}</source>
        <translation>Ekleniyor: {count} dosyanın {number}. dosyası, {name}</translation>
    </message>
    <message>
        <source>page {number}</source>
        <translation>{number}. sayfa</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>ve %n dosya daha</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Raporu kopyala</translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) added.</source>
        <translation>
            <numerusform>%n belge eklendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) updated.</source>
        <translation>
            <numerusform>%n belge güncellendi.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) were already in the library.</source>
        <translation>
            <numerusform>%n belge zaten kitaplıktaydı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new reference(s) imported.</source>
        <translation>
            <numerusform>%n yeni künye içe aktarıldı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) completed.</source>
        <translation>
            <numerusform>%n künye tamamlandı.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n reference(s) were already known.</source>
        <translation>
            <numerusform>%n künye zaten vardı.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Durduruldu.</translation>
    </message>
    <message>
        <source>No readable documents were found.</source>
        <translation>Okunabilir belge bulunamadı.</translation>
    </message>
    <message numerus="yes">
        <source>The scanned pages of %n document(s) will be read while you are not typing.</source>
        <translation>
            <numerusform>%n belgenin taranmış sayfaları sen yazmıyorken okunacak.</numerusform>
        </translation>
    </message>
    <message>
        <source>✗ {name}: {why}</source>
        <translation>✗ {name}: {why}</translation>
    </message>
</context>
<context>
    <name>_MessageRow</name>
    <message>
        <source>Close</source>
        <translation>Kapat</translation>
    </message>
</context>
<context>
    <name>_SourceCard</name>
    <message>
        <source>Open source {number}: {title}</source>
        <translation>{number}. kaynağı aç: {title}</translation>
    </message>
    <message>
        <source>“{words}”</source>
        <translation>“{words}”</translation>
    </message>
    <message>
        <source>{label}: {claim}</source>
        <translation>{label}: {claim}</translation>
    </message>
    <message>
        <source>Decided by: “{words}”</source>
        <translation>Karar veren sözler: “{words}”</translation>
    </message>
    <message>
        <source>⚠ “{words}” is not in the passage</source>
        <translation>⚠ “{words}” pasajda yok</translation>
    </message>
    <message>
        <source>⚠ The date “{words}” is not in the passage</source>
        <translation>⚠ “{words}” tarihi pasajda yok</translation>
    </message>
    <message>
        <source>⚠ The name “{words}” is not in the passage</source>
        <translation>⚠ “{words}” adı pasajda yok</translation>
    </message>
    <message>
        <source>⚠ The passage has no negation like “{words}”</source>
        <translation>⚠ Pasajda “{words}” gibi bir olumsuzluk yok</translation>
    </message>
</context>
<context>
    <name>DuplicatesDialog</name>
    <message>
        <source>Possible duplicates</source>
        <translation>Olası yinelenenler</translation>
    </message>
    <message>
        <source>These look like the same work. The one you choose stays and gets the notes, tags and fields of the others; answers that cite these keep their passages.</source>
        <translation>Bunlar aynı esere benziyor. Seçtiğin kalır; ötekilerin notlarını, etiketlerini ve alanlarını alır. Ötekilere atıf yapan yanıtlar pasajlarını yitirmez.</translation>
    </message>
    <message>
        <source>&amp;Merge</source>
        <translation>&amp;Birleştir</translation>
    </message>
    <message>
        <source>&amp;Skip</source>
        <translation>&amp;Atla</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Kapat</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number}/{count}</translation>
    </message>
</context>
<context>
    <name>NotesModel</name>
    <message>
        <source>p. {page}</source>
        <translation>s. {page}</translation>
    </message>
</context>
<context>
    <name>NotesDialog</name>
    <message>
        <source>Export notes</source>
        <translation>Notları dışa aktar</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>notlar</translation>
    </message>
</context>
<context>
    <name>NotesPage</name>
    <message>
        <source>Notes</source>
        <translation>Notlar</translation>
    </message>
    <message>
        <source>Search notes</source>
        <translation>Notlarda ara</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Aç</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>&amp;Düzenle…</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Sil</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>Dışa a&amp;ktar…</translation>
    </message>
    <message>
        <source>All documents and answers</source>
        <translation>Tüm belgeler ve yanıtlar</translation>
    </message>
    <message>
        <source>Document or session</source>
        <translation>Belge ya da oturum</translation>
    </message>
    <message>
        <source>All projects</source>
        <translation>Tüm projeler</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Projesiz</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Proje</translation>
    </message>
    <message>
        <source>No note matches.</source>
        <translation>Eşleşen not yok.</translation>
    </message>
    <message>
        <source>There are no notes yet. Select words in a document or an answer, and choose Highlight or Note in their menu.</source>
        <translation>Henüz not yok. Bir belgede ya da yanıtta sözler seç ve menülerinden Vurgula ya da Not’u seç.</translation>
    </message>
    <message>
        <source>p. {page}</source>
        <translation>s. {page}</translation>
    </message>
    <message>
        <source>The notes were saved to {path}</source>
        <translation>Notlar kaydedildi: {path}</translation>
    </message>
    <message>
        <source>&amp;Write into a notes folder…</source>
        <translation>Not klasörüne &amp;yaz…</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Checking the claims…</source>
        <translation>İddialar denetleniyor…</translation>
    </message>
    <message numerus="yes">
        <source>Claims checked: %n without support in the source</source>
        <translation>
            <numerusform>İddialar denetlendi: %n tanesi kaynağında yok</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConflictCard</name>
    <message>
        <source>(without a title)</source>
        <translation>(başlıksız)</translation>
    </message>
    <message>
        <source>Written on {device}</source>
        <translation>{device} cihazında yazılan</translation>
    </message>
    <message>
        <source>Written on this computer</source>
        <translation>Bu bilgisayarda yazılan</translation>
    </message>
    <message>
        <source>In force now</source>
        <translation>Şimdi geçerli olan</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>İkisi de kalsın</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>Bu kalsın</translation>
    </message>
    <message>
        <source>Deleted on {device}, but changed on this computer since.</source>
        <translation>{device} cihazında silinmiş, ama bu bilgisayarda sonradan değiştirilmiş.</translation>
    </message>
    <message>
        <source>Deleted on this computer, but changed on another one since.</source>
        <translation>Bu bilgisayarda silinmiş, ama başka bir cihazda sonradan değiştirilmiş.</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Kalsın</translation>
    </message>
    <message>
        <source>Delete it</source>
        <translation>Silinsin</translation>
    </message>
    <message>
        <source>Written on another device</source>
        <translation>Başka bir cihazda yazılan</translation>
    </message>
    <message>
        <source>Deleted on another device, but changed on this computer since.</source>
        <translation>Başka bir cihazda silinmiş, ama bu bilgisayarda sonradan değiştirilmiş.</translation>
    </message>
</context>
<context>
    <name>Conflicts</name>
    <message>
        <source>Project</source>
        <translation>Proje</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>İstem</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Oturum</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Mesaj</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Belge</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Not</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Bilgi</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>Tercih</translation>
    </message>
    <message>
        <source>Diary</source>
        <translation>Günlük</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>İzleme</translation>
    </message>
    <message>
        <source>name</source>
        <translation>ad</translation>
    </message>
    <message>
        <source>title</source>
        <translation>başlık</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>özet</translation>
    </message>
    <message>
        <source>project</source>
        <translation>proje</translation>
    </message>
    <message>
        <source>tags</source>
        <translation>etiketler</translation>
    </message>
    <message>
        <source>author</source>
        <translation>yazar</translation>
    </message>
    <message>
        <source>year</source>
        <translation>yıl</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>künye</translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>talimatlar</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>değişkenler</translation>
    </message>
    <message>
        <source>on this computer only</source>
        <translation>yalnızca bu bilgisayarda</translation>
    </message>
    <message>
        <source>text</source>
        <translation>metin</translation>
    </message>
    <message>
        <source>value</source>
        <translation>değer</translation>
    </message>
    <message>
        <source>topic</source>
        <translation>konu</translation>
    </message>
    <message>
        <source>importance</source>
        <translation>önem</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>geçerli</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>duraklatıldı</translation>
    </message>
    <message>
        <source>subject</source>
        <translation>konu</translation>
    </message>
    <message>
        <source>how often</source>
        <translation>ne sıklıkla</translation>
    </message>
    <message>
        <source>rating</source>
        <translation>değerlendirme</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Projesiz</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Evet</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Hayır</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>(boş)</translation>
    </message>
</context>
<context>
    <name>DevicesPage</name>
    <message>
        <source>Devices and sharing</source>
        <translation>Cihazlar ve paylaşım</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>İlerleme</translation>
    </message>
    <message>
        <source>The same profile on several computers: sessions, library, memory, notes and diary, merged without losing anything. There is no account and no server of ours; what leaves this computer is encrypted.</source>
        <translation>Aynı profil birkaç bilgisayarda: oturumlar, kitaplık, hatırlananlar, notlar ve günlük hiçbir şey kaybolmadan birleşir. Hesap açılmaz, bizim bir sunucumuz yoktur; bu bilgisayardan çıkan her şey şifrelenir.</translation>
    </message>
    <message>
        <source>On trial: keep backups.</source>
        <translation>Deneme aşamasında: yedek al.</translation>
    </message>
    <message>
        <source>Synchronise &amp;now</source>
        <translation>Şimdi &amp;eşitle</translation>
    </message>
    <message>
        <source>&amp;Compare all devices</source>
        <translation>Tüm &amp;cihazları karşılaştır</translation>
    </message>
    <message>
        <source>&amp;Leave…</source>
        <translation>Ay&amp;rıl…</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Parola</translation>
    </message>
    <message>
        <source>Cont&amp;inue</source>
        <translation>De&amp;vam</translation>
    </message>
    <message>
        <source>Changed on two devices</source>
        <translation>İki cihazda da değişenler</translation>
    </message>
    <message>
        <source>Both versions are kept. Choose the one that stays, or keep both.</source>
        <translation>İki hâli de saklandı. Kalacak olanı seç ya da ikisini de tut.</translation>
    </message>
    <message>
        <source>Other devices</source>
        <translation>Öteki cihazlar</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Sürdür</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>D&amp;uraklat</translation>
    </message>
    <message>
        <source>None yet. On the next computer, open this page in Bellek and choose the same place.</source>
        <translation>Henüz yok. Öteki bilgisayarda Bellek’te bu sayfayı aç ve aynı yeri seç.</translation>
    </message>
    <message>
        <source>last seen {time}</source>
        <translation>son görülme: {time}</translation>
    </message>
    <message numerus="yes">
        <source>%n pack(s) of its changes not here yet</source>
        <translation>
            <numerusform>%n değişiklik paketi henüz gelmedi</numerusform>
        </translation>
    </message>
    <message>
        <source>all its changes are here</source>
        <translation>tüm değişiklikleri burada</translation>
    </message>
    <message>
        <source>(without a name)</source>
        <translation>(adsız)</translation>
    </message>
    <message>
        <source>Paused: nothing is sent or received by itself.</source>
        <translation>Duraklatıldı: kendiliğinden hiçbir şey gönderilmez ve alınmaz.</translation>
    </message>
    <message>
        <source>This profile is synchronised.</source>
        <translation>Bu profil eşitleniyor.</translation>
    </message>
    <message>
        <source>Synchronised at {time}: nothing was new.</source>
        <translation>Eşitlendi ({time}): yeni bir şey yoktu.</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) received</source>
        <translation>
            <numerusform>%n değişiklik geldi</numerusform>
        </translation>
    </message>
    <message>
        <source>what changed here was sent</source>
        <translation>buradaki değişiklikler gönderildi</translation>
    </message>
    <message>
        <source>Not the same as here: {names}. Synchronise there, then compare again.</source>
        <translation>Buradakiyle aynı değil: {names}. Orada eşitle, sonra yeniden karşılaştır.</translation>
    </message>
    <message>
        <source>Leave the synchronisation?</source>
        <translation>Eşitlemeden ayrılınsın mı?</translation>
    </message>
    <message>
        <source>What changed here is sent first. Everything that is on this computer stays, and the other devices go on.</source>
        <translation>Önce buradaki değişiklikler gönderilir. Bu bilgisayardaki her şey yerinde kalır, öteki cihazlar eşitlenmeyi sürdürür.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Ayrıl</translation>
    </message>
    <message>
        <source>Leave without sending</source>
        <translation>Göndermeden ayrıl</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>Synchronised at {time}: {done}.</source>
        <translation>Eşitlendi ({time}): {done}.</translation>
    </message>
    <message>
        <source>Receiving what the others changed…</source>
        <translation>Ötekilerin değiştirdikleri alınıyor…</translation>
    </message>
    <message>
        <source>Exchanging pictures and documents…</source>
        <translation>Resimler ve belgeler alınıp gönderiliyor…</translation>
    </message>
    <message>
        <source>Password of the server</source>
        <translation>Sunucunun parolası</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Bağlanılıyor…</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n dosya</numerusform>
        </translation>
    </message>
    <message>
        <source>Sending what changed here…</source>
        <translation>Buradaki değişiklikler gönderiliyor…</translation>
    </message>
    <message>
        <source>Adding up what is here…</source>
        <translation>Buradakiler özetleniyor…</translation>
    </message>
    <message>
        <source>Another device was set up at the same moment as this one. To bring them together, enter the passphrase once more.</source>
        <translation>Başka bir cihaz bununla aynı anda kurulmuş. İkisini birleştirmek için parolayı bir kez daha yaz.</translation>
    </message>
    <message>
        <source>Nothing is left there of what was synchronised. If it is a stick or a share, connect it. To begin anew, leave and set it up again.</source>
        <translation>Eşitlenenlerden orada hiçbir şey kalmamış. Bir USB bellek ya da ağ paylaşımıysa bağla. Baştan başlamak için ayrıl ve yeniden kur.</translation>
    </message>
    <message>
        <source>The other devices have another passphrase. Enter theirs.</source>
        <translation>Öteki cihazların parolası başka. Onlarınkini yaz.</translation>
    </message>
    <message>
        <source>Not known yet: {names}. Each device adds up what it has a minute after its last change; then compare again.</source>
        <translation>Henüz bilinmiyor: {names}. Her cihaz, son değişiklikten bir dakika sonra elindekileri özetler; o zaman yeniden karşılaştır.</translation>
    </message>
    <message>
        <source>Forget…</source>
        <translation>Unut…</translation>
    </message>
    <message>
        <source>Forget {device}…</source>
        <translation>{device} cihazını unut…</translation>
    </message>
    <message>
        <source>Forget {device}?</source>
        <translation>{device} unutulsun mu?</translation>
    </message>
    <message>
        <source>For a device that is lost or no longer used. Everything it has sent stays, and its files are removed when your other devices have them. What it has not sent is only on it. If it comes back, it takes part as a new device.</source>
        <translation>Kaybolan ya da artık kullanılmayan bir cihaz için. Gönderdiği her şey kalır; dosyaları, öteki cihazların da alınca silinir. Göndermedikleri yalnızca onda durur. Geri gelirse yeni bir cihaz olarak katılır.</translation>
    </message>
    <message>
        <source>What it wrote with another role of the server stays there.</source>
        <translation>Sunucudaki başka bir rolle yazdıkları orada kalır.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Unut</translation>
    </message>
</context>
<context>
    <name>SetupForm</name>
    <message>
        <source>F&amp;older</source>
        <translation>&amp;Klasör</translation>
    </message>
    <message>
        <source>One that all your devices see: of Syncthing, Dropbox or Nextcloud, a network share, or a USB stick.</source>
        <translation>Tüm cihazlarının gördüğü bir klasör: Syncthing, Dropbox ya da Nextcloud klasörü, bir ağ paylaşımı veya bir USB bellek.</translation>
    </message>
    <message>
        <source>PostgreSQL se&amp;rver</source>
        <translation>PostgreSQL &amp;sunucusu</translation>
    </message>
    <message>
        <source>A database that you or your group runs.</source>
        <translation>Senin ya da grubunun çalıştırdığı bir veritabanı.</translation>
    </message>
    <message>
        <source>Password of the server</source>
        <translation>Sunucunun parolası</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Parola</translation>
    </message>
    <message>
        <source>Passphrase (again)</source>
        <translation>Parola (tekrar)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>Ge&amp;ri</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Klasör</translation>
    </message>
    <message>
        <source>Address of the server</source>
        <translation>Sunucunun adresi</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>S&amp;eç…</translation>
    </message>
    <message>
        <source>Address, such as postgresql://name@server/database</source>
        <translation>Adres, örneğin postgresql://ad@sunucu/veritabanı</translation>
    </message>
    <message>
        <source>It is kept in the system’s keyring.</source>
        <translation>Sistemin anahtarlığında saklanır.</translation>
    </message>
    <message>
        <source>Where do your devices meet?</source>
        <translation>Cihazların nerede buluşsun?</translation>
    </message>
    <message>
        <source>Name of this device</source>
        <translation>Bu cihazın adı</translation>
    </message>
    <message>
        <source>Your other devices show it. Then the first synchronisation begins; with a large archive it takes a few minutes, and you can go on working.</source>
        <translation>Öteki cihazların bu adı gösterir. Ardından ilk eşitleme başlar; arşiv büyükse birkaç dakika sürer, bu sırada çalışmayı sürdürebilirsin.</translation>
    </message>
    <message>
        <source>What is this device called?</source>
        <translation>Bu cihazın adı ne olsun?</translation>
    </message>
    <message>
        <source>Folder that all devices see</source>
        <translation>Tüm cihazların gördüğü klasör</translation>
    </message>
    <message>
        <source>Choose the folder in which your devices meet.</source>
        <translation>Cihazlarının buluşacağı klasörü seç.</translation>
    </message>
    <message>
        <source>The address begins with postgresql://.</source>
        <translation>Adres postgresql:// ile başlar.</translation>
    </message>
    <message numerus="yes">
        <source>Use at least %n character(s). Several words are best.</source>
        <translation>
            <numerusform>En az %n karakterlik bir parola seç. Birkaç sözcük en iyisidir.</numerusform>
        </translation>
    </message>
    <message>
        <source>The two passphrases do not match.</source>
        <translation>İki parola aynı değil.</translation>
    </message>
    <message>
        <source>Enter the passphrase of your other devices.</source>
        <translation>Öteki cihazlarının parolasını yaz.</translation>
    </message>
    <message>
        <source>Give this device a name.</source>
        <translation>Bu cihaza bir ad ver.</translation>
    </message>
    <message>
        <source>The other devices have another passphrase. Enter theirs.</source>
        <translation>Öteki cihazların parolası başka. Onlarınkini yaz.</translation>
    </message>
    <message>
        <source>Step {step} of {steps}</source>
        <translation>Adım {step}/{steps}</translation>
    </message>
    <message>
        <source>S&amp;ynchronise</source>
        <translation>&amp;Eşitle</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>İ&amp;leri</translation>
    </message>
    <message>
        <source>Choose a passphrase</source>
        <translation>Bir parola seç</translation>
    </message>
    <message>
        <source>Enter the passphrase of your other devices</source>
        <translation>Öteki cihazlarının parolasını yaz</translation>
    </message>
    <message>
        <source>It encrypts everything that leaves this computer. Each further device asks for it, and nobody can recover it: write it down.</source>
        <translation>Bu bilgisayardan çıkan her şeyi şifreler. Sonraki her cihaz onu sorar ve kimse kurtaramaz: bir yere yaz.</translation>
    </message>
    <message>
        <source>Other devices have been set up there already.</source>
        <translation>Orada başka cihazlar zaten kurulmuş.</translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message>
        <source>Devices: not synchronised</source>
        <translation>Cihazlar: eşitlenemedi</translation>
    </message>
    <message numerus="yes">
        <source>Devices: %n choice(s)</source>
        <translation>
            <numerusform>Cihazlar: %n seçim bekliyor</numerusform>
        </translation>
    </message>
    <message>
        <source>Devices: something has not arrived</source>
        <translation>Cihazlar: gelmeyen bir şey var</translation>
    </message>
</context>
<context>
    <name>Publishing</name>
    <message numerus="yes">
        <source>%n session(s) published: the members of the project receive what is there now.</source>
        <translation>
            <numerusform>%n oturum yayımlandı: projenin üyeleri şu anki hâlini alır.</numerusform>
        </translation>
    </message>
    <message>
        <source>Taken back: the other members remove it with their next update.</source>
        <translation>Geri alındı: öteki üyeler ilk güncellemede kaldırır.</translation>
    </message>
</context>
<context>
    <name>CodePicture</name>
    <message>
        <source>The code as a picture, to be scanned</source>
        <translation>Taranacak resim olarak kod</translation>
    </message>
</context>
<context>
    <name>SharedProjectCard</name>
    <message>
        <source>Update now</source>
        <translation>Şimdi güncelle</translation>
    </message>
    <message>
        <source>Show the code</source>
        <translation>Kodu göster</translation>
    </message>
    <message>
        <source>Leave…</source>
        <translation>Ayrıl…</translation>
    </message>
    <message>
        <source>Code of the project: {code}</source>
        <translation>Projenin kodu: {code}</translation>
    </message>
    <message>
        <source>Read it to those who are to join, or let them scan the picture, over a way that you trust: whoever has it and reaches the folder or server can take part.</source>
        <translation>Kodu katılacaklara güvendiğin bir yoldan oku ya da resmi taramalarını iste: onu bilen ve klasöre ya da sunucuya ulaşan herkes katılabilir.</translation>
    </message>
    <message>
        <source>last seen {time}</source>
        <translation>son görülme: {time}</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Çıkar…</translation>
    </message>
</context>
<context>
    <name>SharingDialog</name>
    <message>
        <source>Join a project</source>
        <translation>Projeye katıl</translation>
    </message>
    <message>
        <source>Share a project</source>
        <translation>Proje paylaş</translation>
    </message>
    <message>
        <source>The code, as it was read to you</source>
        <translation>Sana okunan kod</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Proje</translation>
    </message>
    <message>
        <source>Folder or server of the group</source>
        <translation>Grubun klasörü ya da sunucusu</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>&amp;Seç…</translation>
    </message>
    <message>
        <source>A folder that all members see, of Syncthing, Dropbox or a network share, or an address such as postgresql://name@server/database. What is there is encrypted.</source>
        <translation>Tüm üyelerin gördüğü bir klasör (Syncthing, Dropbox ya da ağ paylaşımı) ya da postgresql://ad@sunucu/veritabanı gibi bir adres. Oradaki her şey şifrelidir.</translation>
    </message>
    <message>
        <source>Your name, as the other members see it</source>
        <translation>Öteki üyelerin göreceği adın</translation>
    </message>
    <message>
        <source>&amp;Join</source>
        <translation>&amp;Katıl</translation>
    </message>
    <message>
        <source>&amp;Share</source>
        <translation>&amp;Paylaş</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Vazgeç</translation>
    </message>
    <message>
        <source>Folder that all members see</source>
        <translation>Tüm üyelerin gördüğü klasör</translation>
    </message>
    <message>
        <source>Enter the folder or address, and your name.</source>
        <translation>Klasörü ya da adresi ve adını yaz.</translation>
    </message>
</context>
<context>
    <name>SharingPart</name>
    <message>
        <source>A project can be shared with a group: the sessions that you publish, its documents, references and notes. Your memory, drafts, preferences, diary and the other sessions are never sent.</source>
        <translation>Bir proje bir grupla paylaşılabilir: yayımladığın oturumlar, projenin belgeleri, künyeleri ve notları gider. Hatırlananlar, taslaklar, tercihler, günlük ve öteki oturumlar hiçbir zaman gönderilmez.</translation>
    </message>
    <message>
        <source>Progress of sharing</source>
        <translation>Paylaşımın ilerlemesi</translation>
    </message>
    <message>
        <source>S&amp;hare a project…</source>
        <translation>&amp;Proje paylaş…</translation>
    </message>
    <message>
        <source>&amp;Join a project…</source>
        <translation>Projeye &amp;katıl…</translation>
    </message>
    <message>
        <source>Shared projects</source>
        <translation>Paylaşılan projeler</translation>
    </message>
    <message>
        <source>Remove {name} from the project?</source>
        <translation>{name} projeden çıkarılsın mı?</translation>
    </message>
    <message>
        <source>What {name} has stays there. What is shared from now on has a new key, which the others get with their next update; there is a new code, too.</source>
        <translation>{name} adlı üyede bulunanlar onda kalır. Bundan sonra paylaşılanların anahtarı yeni olur; ötekiler onu ilk güncellemede alır. Projenin kodu da değişir.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Çıkar</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Vazgeç</translation>
    </message>
    <message>
        <source>Leave the shared project “{name}”?</source>
        <translation>“{name}” paylaşılan projesinden ayrılmak istiyor musun?</translation>
    </message>
    <message>
        <source>What is here stays here. The others keep what came from you, unless you take it back: then it is removed there.</source>
        <translation>Buradakiler burada kalır. Senden gelenler ötekilerde de kalır; geri çekersen onlardan kaldırılır.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Ayrıl</translation>
    </message>
    <message>
        <source>Leave and take back</source>
        <translation>Ayrıl ve geri çek</translation>
    </message>
    <message>
        <source>Leave without the others</source>
        <translation>Ötekiler olmadan ayrıl</translation>
    </message>
</context>
<context>
    <name>FolderWatcher</name>
    <message numerus="yes">
        <source>%n document(s) are no longer in the folder “{folder}”: {names}.</source>
        <translation>
            <numerusform>%n belge artık “{folder}” klasöründe değil: {names}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Keep in the library</source>
        <translation>Kitaplıkta kalsın</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Kaldır</translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) removed from the library.</source>
        <translation>
            <numerusform>%n belge kitaplıktan kaldırıldı.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>WatchedFoldersDialog</name>
    <message>
        <source>Watched folders</source>
        <translation>İzlenen klasörler</translation>
    </message>
    <message>
        <source>The notes and documents in these folders, such as an Obsidian vault, are in the library. While Bellek is open, new and changed files are read by themselves. No file is ever changed or replaced.</source>
        <translation>Bu klasörlerdeki notlar ve belgeler (örneğin bir Obsidian kasası) kitaplıktadır. Bellek açıkken yeni ve değişen dosyalar kendiliğinden okunur. Hiçbir dosya değiştirilmez, üzerine yazılmaz.</translation>
    </message>
    <message>
        <source>&amp;Watch a folder…</source>
        <translation>Bir &amp;klasör izle…</translation>
    </message>
    <message>
        <source>Reading “{folder}”…</source>
        <translation>“{folder}” okunuyor…</translation>
    </message>
    <message>
        <source>Watch a folder</source>
        <translation>Klasör izle</translation>
    </message>
    <message>
        <source>No folder is watched.</source>
        <translation>İzlenen klasör yok.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Sürdür</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Duraklat</translation>
    </message>
    <message>
        <source>Look now</source>
        <translation>Şimdi bak</translation>
    </message>
    <message>
        <source>No longer watch</source>
        <translation>İzlemeyi bırak</translation>
    </message>
    <message numerus="yes">
        <source>%n gone document(s)…</source>
        <translation>
            <numerusform>Dosyası olmayan %n belge…</numerusform>
        </translation>
    </message>
    <message>
        <source>Answers and notes may be written into this folder</source>
        <translation>Yanıtlar ve notlar bu klasöre yazılabilsin</translation>
    </message>
    <message>
        <source>Paused.</source>
        <translation>Duraklatıldı.</translation>
    </message>
    <message numerus="yes">
        <source>%n document(s) read.</source>
        <translation>
            <numerusform>%n belge okundu.</numerusform>
        </translation>
    </message>
    <message>
        <source>Could not be read: {names}</source>
        <translation>Okunamadı: {names}</translation>
    </message>
    <message>
        <source>“{folder}” is no longer watched. Its documents stay in the library.</source>
        <translation>“{folder}” artık izlenmiyor. Belgeleri kitaplıkta kalıyor.</translation>
    </message>
</context>
<context>
    <name>NoteWriting</name>
    <message>
        <source>Written to {path}</source>
        <translation>{path} dosyasına yazıldı</translation>
    </message>
    <message>
        <source>The file is not encrypted.</source>
        <translation>Dosya şifreli değil.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Aç</translation>
    </message>
    <message>
        <source>No folder takes answers and notes yet. Watch a folder, and allow it there.</source>
        <translation>Yanıtların ve notların yazılabileceği bir klasör henüz yok. Bir klasör izle ve orada izin ver.</translation>
    </message>
    <message>
        <source>Watched folders…</source>
        <translation>İzlenen klasörler…</translation>
    </message>
</context>
</TS>
