<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="id" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;New keyspace...</source>
        <translation>Keyspace &amp;baru...</translation>
    </message>
    <message>
        <source>&amp;Delete keyspace...</source>
        <translation>&amp;Hapus keyspace...</translation>
    </message>
    <message>
        <source>Charts as &amp;tables</source>
        <translation>Grafik sebagai &amp;tabel</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Ikhtisar</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Peta</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Write queue</source>
        <translation>Antrean tulis</translation>
    </message>
    <message>
        <source>Keyspaces</source>
        <translation>Keyspace</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Coba</translation>
    </message>
    <message>
        <source>&amp;Enrol the photo</source>
        <translation>&amp;Daftarkan foto</translation>
    </message>
    <message>
        <source>De&amp;lete the face...</source>
        <translation>&amp;Hapus wajah...</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Berkas</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Edit</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Tampilan</translation>
    </message>
    <message>
        <source>&amp;Cluster</source>
        <translation>&amp;Cluster</translation>
    </message>
    <message>
        <source>&amp;Plan</source>
        <translation>&amp;Rencana</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>&amp;Alat</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>Ba&amp;ntuan</translation>
    </message>
    <message>
        <source>&amp;Connect...</source>
        <translation>&amp;Hubungkan...</translation>
    </message>
    <message>
        <source>Connect to a coordinator</source>
        <translation>Hubungkan ke coordinator</translation>
    </message>
    <message>
        <source>Open the &amp;demo cluster</source>
        <translation>Buka cluster &amp;demo</translation>
    </message>
    <message>
        <source>A cluster that exists in memory only</source>
        <translation>Cluster yang hanya ada di memori</translation>
    </message>
    <message>
        <source>&amp;Disconnect</source>
        <translation>&amp;Putuskan</translation>
    </message>
    <message>
        <source>Export as C&amp;SV...</source>
        <translation>Ekspor sebagai C&amp;SV...</translation>
    </message>
    <message>
        <source>What the page shows, with its filter and order</source>
        <translation>Yang ditampilkan halaman, dengan filter dan urutannya</translation>
    </message>
    <message>
        <source>Export as &amp;picture...</source>
        <translation>Ekspor sebagai &amp;gambar...</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Keluar</translation>
    </message>
    <message>
        <source>&amp;Filter</source>
        <translation>&amp;Filter</translation>
    </message>
    <message>
        <source>&amp;Refresh now</source>
        <translation>&amp;Segarkan sekarang</translation>
    </message>
    <message>
        <source>&amp;Pause refresh</source>
        <translation>&amp;Jeda penyegaran</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>&amp;Inspektur</translation>
    </message>
    <message>
        <source>&amp;Bottom panel</source>
        <translation>Panel &amp;bawah</translation>
    </message>
    <message>
        <source>Selection &amp;back</source>
        <translation>Pilihan &amp;sebelumnya</translation>
    </message>
    <message>
        <source>Selection f&amp;orward</source>
        <translation>Pilihan &amp;berikutnya</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>Layar pe&amp;nuh</translation>
    </message>
    <message>
        <source>&amp;Search or run...</source>
        <translation>&amp;Cari atau jalankan...</translation>
    </message>
    <message>
        <source>Theme: like the &amp;desktop</source>
        <translation>Tema: seperti &amp;desktop</translation>
    </message>
    <message>
        <source>Theme: &amp;light</source>
        <translation>Tema: &amp;terang</translation>
    </message>
    <message>
        <source>Theme: d&amp;ark</source>
        <translation>Tema: &amp;gelap</translation>
    </message>
    <message>
        <source>Language: &amp;English</source>
        <translation>Bahasa: &amp;Inggris</translation>
    </message>
    <message>
        <source>Language: &amp;Indonesian</source>
        <translation>Bahasa: I&amp;ndonesia</translation>
    </message>
    <message>
        <source>&amp;Read-only</source>
        <translation>&amp;Hanya-baca</translation>
    </message>
    <message>
        <source>While it is on, nothing that changes the cluster can be run</source>
        <translation>Selama aktif, tidak ada yang mengubah cluster dapat dijalankan</translation>
    </message>
    <message>
        <source>&amp;About FREMIS Console</source>
        <translation>&amp;Tentang FREMIS Console</translation>
    </message>
    <message>
        <source>Queue: &amp;try again now</source>
        <translation>Antrean: &amp;coba lagi sekarang</translation>
    </message>
    <message>
        <source>Parked writes go back into the queue, and the node is tried at once</source>
        <translation>Tulisan yang diparkir kembali ke antrean, dan node langsung dicoba</translation>
    </message>
    <message>
        <source>Queue: &amp;pause</source>
        <translation>Antrean: &amp;jeda</translation>
    </message>
    <message>
        <source>Writes for the node are kept, not sent</source>
        <translation>Tulisan untuk node disimpan, tidak dikirim</translation>
    </message>
    <message>
        <source>Queue: &amp;resume</source>
        <translation>Antrean: &amp;lanjutkan</translation>
    </message>
    <message>
        <source>Queue: &amp;discard...</source>
        <translation>Antrean: &amp;buang...</translation>
    </message>
    <message>
        <source>Forgets the writes; the node is filled from its replicas</source>
        <translation>Melupakan tulisan; node diisi dari replikanya</translation>
    </message>
    <message>
        <source>&amp;Write the config</source>
        <translation>&amp;Tulis konfigurasi</translation>
    </message>
    <message>
        <source>Writes the draft whose diff and impact have been shown</source>
        <translation>Menulis draf yang perbedaan dan dampaknya sudah ditampilkan</translation>
    </message>
    <message>
        <source>&amp;Roll the config back</source>
        <translation>&amp;Kembalikan konfigurasi</translation>
    </message>
    <message>
        <source>Writes the config as it was before the last change</source>
        <translation>Menulis konfigurasi seperti sebelum perubahan terakhir</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Urungkan</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Ulangi</translation>
    </message>
    <message>
        <source>&amp;Split evenly</source>
        <translation>&amp;Bagi rata</translation>
    </message>
    <message>
        <source>Gives every node of the draft an equal share by weight</source>
        <translation>Memberi setiap node dalam draf bagian yang sama menurut bobot</translation>
    </message>
    <message>
        <source>&amp;Insert node...</source>
        <translation>&amp;Sisipkan node...</translation>
    </message>
    <message>
        <source>Puts a node where the fewest partitions move</source>
        <translation>Menaruh node di tempat yang memindahkan partisi paling sedikit</translation>
    </message>
    <message>
        <source>Re&amp;move entry</source>
        <translation>&amp;Hapus entri</translation>
    </message>
    <message>
        <source>S&amp;ort by partition</source>
        <translation>&amp;Urutkan menurut partisi</translation>
    </message>
    <message>
        <source>&amp;Next problem</source>
        <translation>Masalah &amp;berikutnya</translation>
    </message>
    <message>
        <source>&amp;Previous problem</source>
        <translation>Masalah &amp;sebelumnya</translation>
    </message>
    <message>
        <source>Open a config &amp;file...</source>
        <translation>Buka &amp;berkas konfigurasi...</translation>
    </message>
    <message>
        <source>Edits a config.yml of this computer</source>
        <translation>Menyunting config.yml di komputer ini</translation>
    </message>
    <message>
        <source>Edit the &amp;cluster&apos;s config</source>
        <translation>Sunting konfigurasi &amp;cluster</translation>
    </message>
    <message>
        <source>Leaves the file and drops its draft</source>
        <translation>Meninggalkan berkas dan membuang drafnya</translation>
    </message>
    <message>
        <source>Re&amp;load</source>
        <translation>&amp;Muat ulang</translation>
    </message>
    <message>
        <source>Reads the config again and drops the draft</source>
        <translation>Membaca ulang konfigurasi dan membuang draf</translation>
    </message>
    <message>
        <source>&amp;Diff</source>
        <translation>&amp;Perbedaan</translation>
    </message>
    <message>
        <source>Re&amp;vert</source>
        <translation>&amp;Kembalikan</translation>
    </message>
    <message>
        <source>Back to the text that was read; can be undone</source>
        <translation>Kembali ke teks yang dibaca; dapat diurungkan</translation>
    </message>
    <message>
        <source>Save a c&amp;opy...</source>
        <translation>Simpan &amp;salinan...</translation>
    </message>
    <message>
        <source>Saves the draft as a file of this computer</source>
        <translation>Menyimpan draf sebagai berkas di komputer ini</translation>
    </message>
    <message>
        <source>&amp;Apply...</source>
        <translation>&amp;Terapkan...</translation>
    </message>
    <message>
        <source>Shows the diff and the impact; nothing is written yet</source>
        <translation>Menampilkan perbedaan dan dampak; belum ada yang ditulis</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfigurasi</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>Perencana</translation>
    </message>
    <message>
        <source>&amp;Add node...</source>
        <translation>&amp;Tambah node...</translation>
    </message>
    <message>
        <source>A node that joins the map</source>
        <translation>Node yang bergabung ke peta</translation>
    </message>
    <message>
        <source>Node &amp;leaves</source>
        <translation>Node &amp;keluar</translation>
    </message>
    <message>
        <source>The node leaves the map</source>
        <translation>Node keluar dari peta</translation>
    </message>
    <message>
        <source>Node is &amp;emptied</source>
        <translation>Node di&amp;kosongkan</translation>
    </message>
    <message>
        <source>The node keeps nothing, as before maintenance</source>
        <translation>Node tidak menyimpan apa pun, seperti sebelum perawatan</translation>
    </message>
    <message>
        <source>Node s&amp;tays</source>
        <translation>Node &amp;tetap</translation>
    </message>
    <message>
        <source>The node keeps its place</source>
        <translation>Node tetap di tempatnya</translation>
    </message>
    <message>
        <source>Set &amp;weight...</source>
        <translation>Atur &amp;bobot...</translation>
    </message>
    <message>
        <source>The node&apos;s share relative to the others</source>
        <translation>Bagian node dibanding yang lain</translation>
    </message>
    <message>
        <source>&amp;Forget all wishes</source>
        <translation>&amp;Lupakan semua keinginan</translation>
    </message>
    <message>
        <source>Send to &amp;draft</source>
        <translation>Kirim ke &amp;draf</translation>
    </message>
    <message>
        <source>Puts the plan into the Configuration&apos;s draft; nothing is written yet</source>
        <translation>Memasukkan rencana ke draf Konfigurasi; belum ada yang ditulis</translation>
    </message>
    <message>
        <source>Save the plan as &amp;JSON...</source>
        <translation>Simpan rencana sebagai &amp;JSON...</translation>
    </message>
    <message>
        <source>Save the runbook in &amp;English...</source>
        <translation>Simpan runbook dalam bahasa &amp;Inggris...</translation>
    </message>
    <message>
        <source>Save the runbook in &amp;Indonesian...</source>
        <translation>Simpan runbook dalam bahasa I&amp;ndonesia...</translation>
    </message>
    <message>
        <source>Re&amp;name the node...</source>
        <translation>Ganti &amp;nama node...</translation>
    </message>
    <message>
        <source>A name for this console; the cluster is not told</source>
        <translation>Nama untuk konsol ini; cluster tidak diberi tahu</translation>
    </message>
    <message>
        <source>Node under &amp;maintenance</source>
        <translation>Node dalam pera&amp;watan</translation>
    </message>
    <message>
        <source>Its notices are muted; searches and writes go on as before</source>
        <translation>Pemberitahuannya dibisukan; pencarian dan penulisan tetap berjalan</translation>
    </message>
    <message>
        <source>&amp;Empty the node...</source>
        <translation>&amp;Kosongkan node...</translation>
    </message>
    <message>
        <source>Opens a plan that prepares the node for maintenance</source>
        <translation>Membuka rencana yang menyiapkan node untuk perawatan</translation>
    </message>
    <message>
        <source>C&amp;ompare two nodes</source>
        <translation>B&amp;andingkan dua node</translation>
    </message>
    <message>
        <source>Start a demo cluster on this &amp;computer</source>
        <translation>Jalankan cluster demo di &amp;komputer ini</translation>
    </message>
    <message>
        <source>Real servers with an empty store, until the console is closed</source>
        <translation>Server sungguhan dengan penyimpanan kosong, sampai konsol ditutup</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Manual</translation>
    </message>
    <message>
        <source>Open s&amp;napshot...</source>
        <translation>Buka s&amp;napshot...</translation>
    </message>
    <message>
        <source>Shows the saved state of a cluster; nothing of it can be changed</source>
        <translation>Menampilkan keadaan cluster yang tersimpan; tidak ada yang dapat diubah</translation>
    </message>
    <message>
        <source>C&amp;lose the snapshot</source>
        <translation>&amp;Tutup snapshot</translation>
    </message>
    <message>
        <source>Back to what was open before</source>
        <translation>Kembali ke yang terbuka sebelumnya</translation>
    </message>
    <message>
        <source>&amp;Save a snapshot...</source>
        <translation>&amp;Simpan snapshot...</translation>
    </message>
    <message>
        <source>What is known of the cluster now, without pictures and secrets</source>
        <translation>Yang kini diketahui tentang cluster, tanpa gambar dan rahasia</translation>
    </message>
    <message>
        <source>&amp;Keys...</source>
        <translation>&amp;Tombol...</translation>
    </message>
    <message>
        <source>Which keys do what, and other keys for it</source>
        <translation>Tombol mana untuk apa, dan cara menggantinya</translation>
    </message>
</context>
<context>
    <name>AlertEngine</name>
    <message numerus="yes">
        <source>%n partition(s) cannot be searched: %1.</source>
        <translation>
            <numerusform>%n partisi tidak dapat dicari: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) belong to nobody: %1.</source>
        <translation>
            <numerusform>%n partisi tidak dimiliki siapa pun: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) have too few healthy owners: %1.</source>
        <translation>
            <numerusform>%n partisi memiliki terlalu sedikit pemilik sehat: %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CallFailure</name>
    <message>
        <source>No answer in time.</source>
        <translation>Tidak ada jawaban pada waktunya.</translation>
    </message>
    <message>
        <source>The certificate was not accepted: %1</source>
        <translation>Sertifikat tidak diterima: %1</translation>
    </message>
    <message>
        <source>The answer is too large.</source>
        <translation>Jawaban terlalu besar.</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Dibatalkan.</translation>
    </message>
    <message>
        <source>No answer: %1</source>
        <translation>Tidak ada jawaban: %1</translation>
    </message>
    <message>
        <source>This program does not offer that (HTTP %1).</source>
        <translation>Program ini tidak menyediakannya (HTTP %1).</translation>
    </message>
    <message>
        <source>The answer makes no sense: %1</source>
        <translation>Jawaban tidak dapat dipahami: %1</translation>
    </message>
    <message>
        <source>Refused with HTTP %1.</source>
        <translation>Ditolak dengan HTTP %1.</translation>
    </message>
    <message>
        <source>%1 (HTTP %2)</source>
        <translation>%1 (HTTP %2)</translation>
    </message>
</context>
<context>
    <name>ConfigDraft</name>
    <message numerus="yes">
        <source>%1 gets a copy of %n partition(s): %2.</source>
        <translation>
            <numerusform>%1 mendapat salinan %n partisi: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 gives up %n partition(s): %2.</source>
        <translation>
            <numerusform>%1 melepaskan %n partisi: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 gives %n partition(s) to %2: %3.</source>
        <translation>
            <numerusform>%1 memberikan %n partisi kepada %2: %3.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Environment</name>
    <message>
        <source>DEVELOPMENT</source>
        <translation>PENGEMBANGAN</translation>
    </message>
    <message>
        <source>LAB</source>
        <translation>LAB</translation>
    </message>
    <message>
        <source>STAGING</source>
        <translation>STAGING</translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation>PRODUKSI</translation>
    </message>
</context>
<context>
    <name>Manual</name>
    <message>
        <source>Manual</source>
        <translation>Manual</translation>
    </message>
</context>
<context>
    <name>NodeState</name>
    <message>
        <source>ok</source>
        <translation>baik</translation>
    </message>
    <message>
        <source>loading index</source>
        <translation>memuat indeks</translation>
    </message>
    <message>
        <source>catching up</source>
        <translation>mengejar</translation>
    </message>
    <message>
        <source>degraded</source>
        <translation>menurun</translation>
    </message>
    <message>
        <source>draining</source>
        <translation>pengurasan</translation>
    </message>
    <message>
        <source>down</source>
        <translation>mati</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>tidak diketahui</translation>
    </message>
</context>
<context>
    <name>PartitionClass</name>
    <message>
        <source>ok</source>
        <translation>baik</translation>
    </message>
    <message>
        <source>thin</source>
        <translation>tipis</translation>
    </message>
    <message>
        <source>at risk</source>
        <translation>berisiko</translation>
    </message>
    <message>
        <source>gap</source>
        <translation>celah</translation>
    </message>
    <message>
        <source>over-assigned</source>
        <translation>berlebih</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>tidak diketahui</translation>
    </message>
</context>
<context>
    <name>PlanWishes</name>
    <message>
        <source>stays</source>
        <translation>tetap</translation>
    </message>
    <message>
        <source>joins</source>
        <translation>bergabung</translation>
    </message>
    <message>
        <source>leaves</source>
        <translation>keluar</translation>
    </message>
    <message>
        <source>empties</source>
        <translation>kosong</translation>
    </message>
</context>
<context>
    <name>QueueState</name>
    <message>
        <source>idle</source>
        <translation>diam</translation>
    </message>
    <message>
        <source>accumulating</source>
        <translation>menumpuk</translation>
    </message>
    <message>
        <source>replaying</source>
        <translation>memutar ulang</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>terhalang</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>hilang</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>tidak diketahui</translation>
    </message>
</context>
<context>
    <name>Routing</name>
    <message>
        <source>larger than 1 MiB</source>
        <translation>lebih besar dari 1 MiB</translation>
    </message>
    <message>
        <source>not UTF-8 text</source>
        <translation>bukan teks UTF-8</translation>
    </message>
    <message>
        <source>a carriage return without line feed</source>
        <translation>carriage return tanpa line feed</translation>
    </message>
    <message>
        <source>a control character</source>
        <translation>sebuah karakter kendali</translation>
    </message>
    <message>
        <source>a line longer than 128 KiB</source>
        <translation>baris lebih panjang dari 128 KiB</translation>
    </message>
    <message>
        <source>directives are not allowed</source>
        <translation>direktif tidak diizinkan</translation>
    </message>
    <message>
        <source>a tab; use spaces</source>
        <translation>sebuah tab; pakai spasi</translation>
    </message>
    <message>
        <source>nested deeper than 8 levels</source>
        <translation>bersarang lebih dalam dari 8 tingkat</translation>
    </message>
    <message>
        <source>more than 24000 keys and values</source>
        <translation>lebih dari 24000 kunci dan nilai</translation>
    </message>
    <message>
        <source>write the value on one line</source>
        <translation>tulis nilainya dalam satu baris</translation>
    </message>
    <message>
        <source>a second document; one file holds one map</source>
        <translation>dokumen kedua; satu berkas memuat satu peta</translation>
    </message>
    <message>
        <source>text after the end of the document</source>
        <translation>ada teks setelah akhir dokumen</translation>
    </message>
    <message>
        <source>aliases are not allowed</source>
        <translation>alias tidak diizinkan</translation>
    </message>
    <message>
        <source>anchors are not allowed</source>
        <translation>jangkar (anchor) tidak diizinkan</translation>
    </message>
    <message>
        <source>tags are not allowed</source>
        <translation>tag tidak diizinkan</translation>
    </message>
    <message>
        <source>a key must be a word</source>
        <translation>kunci harus berupa kata</translation>
    </message>
    <message>
        <source>not readable as YAML: %1</source>
        <translation>tidak terbaca sebagai YAML: %1</translation>
    </message>
    <message>
        <source>not readable as YAML; put an IPv6 address in quotes: &quot;[v6]:port&quot;</source>
        <translation>tidak terbaca sebagai YAML; beri tanda kutip pada alamat IPv6: &quot;[v6]:port&quot;</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>kosong</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>daftar</translation>
    </message>
    <message>
        <source>a mapping</source>
        <translation>pemetaan</translation>
    </message>
    <message>
        <source>the file is empty; it needs version and nodes</source>
        <translation>berkasnya kosong; version dan nodes diperlukan</translation>
    </message>
    <message>
        <source>a list where a mapping with version and nodes is expected</source>
        <translation>ada daftar, padahal yang diharapkan pemetaan dengan version dan nodes</translation>
    </message>
    <message>
        <source>a text where a mapping with version and nodes is expected</source>
        <translation>ada teks, padahal yang diharapkan pemetaan dengan version dan nodes</translation>
    </message>
    <message>
        <source>key %1 appears twice; first in line %2</source>
        <translation>kunci %1 muncul dua kali; pertama di baris %2</translation>
    </message>
    <message>
        <source>unknown key %1</source>
        <translation>kunci %1 tidak dikenal</translation>
    </message>
    <message>
        <source>unknown key %1; did you mean %2?</source>
        <translation>kunci %1 tidak dikenal; maksud Anda %2?</translation>
    </message>
    <message>
        <source>unknown key %1; secrets do not belong in this file</source>
        <translation>kunci %1 tidak dikenal; rahasia tidak boleh ada di berkas ini</translation>
    </message>
    <message>
        <source>rename to %1</source>
        <translation>ganti nama menjadi %1</translation>
    </message>
    <message>
        <source>version is missing; write version: &quot;v1&quot;</source>
        <translation>version tidak ada; tulis version: &quot;v1&quot;</translation>
    </message>
    <message>
        <source>version must be &quot;v1&quot;, not %1</source>
        <translation>version harus &quot;v1&quot;, bukan %1</translation>
    </message>
    <message>
        <source>set version: &quot;v1&quot;</source>
        <translation>tetapkan version: &quot;v1&quot;</translation>
    </message>
    <message>
        <source>nodes is missing; it lists who owns which partitions</source>
        <translation>nodes tidak ada; di situ tertulis siapa pemilik setiap partisi</translation>
    </message>
    <message>
        <source>nodes is empty; it lists who owns which partitions</source>
        <translation>nodes kosong; di situ tertulis siapa pemilik setiap partisi</translation>
    </message>
    <message>
        <source>nodes must be a list, not %1</source>
        <translation>nodes harus berupa daftar, bukan %1</translation>
    </message>
    <message>
        <source>more than %1 entries in nodes</source>
        <translation>lebih dari %1 entri di nodes</translation>
    </message>
    <message>
        <source>more than 256 addresses in nodes (%1)</source>
        <translation>lebih dari 256 alamat di nodes (%1)</translation>
    </message>
    <message>
        <source>a node must be a mapping with address, partition_start and partition_end, not %1</source>
        <translation>node harus berupa pemetaan dengan address, partition_start dan partition_end, bukan %1</translation>
    </message>
    <message>
        <source>address is missing; write host:port</source>
        <translation>address tidak ada; tulis host:port</translation>
    </message>
    <message>
        <source>address must be host:port, not %1</source>
        <translation>address harus host:port, bukan %1</translation>
    </message>
    <message>
        <source>address &quot;%1&quot;: %2</source>
        <translation>alamat &quot;%1&quot;: %2</translation>
    </message>
    <message>
        <source>address &quot;%1&quot; is the coordinator itself; name a worker</source>
        <translation>alamat &quot;%1&quot; adalah coordinator itu sendiri; sebutkan sebuah worker</translation>
    </message>
    <message>
        <source>write host:port, without a scheme</source>
        <translation>tulis host:port, tanpa skema</translation>
    </message>
    <message>
        <source>the bracket of the IPv6 address is not closed</source>
        <translation>kurung siku alamat IPv6 tidak ditutup</translation>
    </message>
    <message>
        <source>no port; write [v6]:port</source>
        <translation>tanpa port; tulis [v6]:port</translation>
    </message>
    <message>
        <source>no port; write host:port</source>
        <translation>tanpa port; tulis host:port</translation>
    </message>
    <message>
        <source>an IPv6 address needs brackets; write &quot;[v6]:port&quot;</source>
        <translation>alamat IPv6 memerlukan kurung siku; tulis &quot;[v6]:port&quot;</translation>
    </message>
    <message>
        <source>more than one colon; write host:port</source>
        <translation>lebih dari satu titik dua; tulis host:port</translation>
    </message>
    <message>
        <source>empty; write host:port</source>
        <translation>kosong; tulis host:port</translation>
    </message>
    <message>
        <source>a blank in it</source>
        <translation>ada spasi di dalamnya</translation>
    </message>
    <message>
        <source>the port must be a plain number 1..65535</source>
        <translation>port harus angka biasa 1..65535</translation>
    </message>
    <message>
        <source>not an IPv6 address between the brackets</source>
        <translation>yang di dalam kurung siku bukan alamat IPv6</translation>
    </message>
    <message>
        <source>not a host name</source>
        <translation>bukan nama host</translation>
    </message>
    <message>
        <source>partition_start %1 is after partition_end %2</source>
        <translation>partition_start %1 berada setelah partition_end %2</translation>
    </message>
    <message>
        <source>swap</source>
        <translation>tukar</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 tidak ada</translation>
    </message>
    <message>
        <source>%1 must be a plain decimal number 0..255, not %2</source>
        <translation>%1 harus angka desimal biasa 0..255, bukan %2</translation>
    </message>
    <message>
        <source>set %1</source>
        <translation>tetapkan %1</translation>
    </message>
    <message>
        <source>name must be a text of 1 to 64 bytes, not %1</source>
        <translation>name harus teks sepanjang 1 sampai 64 byte, bukan %1</translation>
    </message>
    <message>
        <source>name has a control character</source>
        <translation>name memuat karakter kendali</translation>
    </message>
    <message>
        <source>weight must be a plain number 0.01..100 with at most two decimals, not %1</source>
        <translation>weight harus angka biasa 0.01..100 dengan paling banyak dua desimal, bukan %1</translation>
    </message>
    <message>
        <source>replication must be a plain decimal number 1..%1 (the number of addresses), not %2</source>
        <translation>replication harus angka desimal biasa 1..%1 (banyaknya alamat), bukan %2</translation>
    </message>
    <message>
        <source>allow_partial_search must be true or false, not %1</source>
        <translation>allow_partial_search harus true atau false, bukan %1</translation>
    </message>
    <message>
        <source>partition %1</source>
        <translation>partisi %1</translation>
    </message>
    <message>
        <source>partitions %1</source>
        <translation>partisi %1</translation>
    </message>
    <message>
        <source>%1 owner</source>
        <translation>%1 pemilik</translation>
    </message>
    <message>
        <source>%1 owners</source>
        <translation>%1 pemilik</translation>
    </message>
    <message>
        <source>name &quot;%1&quot; is also that of %2 in line %3</source>
        <translation>nama &quot;%1&quot; juga dipakai %2 di baris %3</translation>
    </message>
    <message>
        <source>%1 is named &quot;%2&quot; in line %3 and &quot;%4&quot; here</source>
        <translation>%1 bernama &quot;%2&quot; di baris %3 dan &quot;%4&quot; di sini</translation>
    </message>
    <message>
        <source>%1 has weight %2 in line %3 and %4 here</source>
        <translation>%1 berbobot %2 di baris %3 dan %4 di sini</translation>
    </message>
    <message>
        <source>%1 has %2 twice; also in line %3</source>
        <translation>%1 memiliki %2 dua kali; juga di baris %3</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>gabungkan</translation>
    </message>
    <message>
        <source>%1 has %2 ranges: %3</source>
        <translation>%1 memiliki %2 rentang: %3</translation>
    </message>
    <message>
        <source>merge %1 and %2</source>
        <translation>gabungkan %1 dan %2</translation>
    </message>
    <message>
        <source>%1 belongs to nobody</source>
        <translation>%1 tidak dimiliki siapa pun</translation>
    </message>
    <message>
        <source>%1 belong to nobody</source>
        <translation>%1 tidak dimiliki siapa pun</translation>
    </message>
    <message>
        <source>give %1 to %2 (line %3)</source>
        <translation>berikan %1 kepada %2 (baris %3)</translation>
    </message>
    <message>
        <source>%1 has %2</source>
        <translation>%1 memiliki %2</translation>
    </message>
    <message>
        <source>%1 have %2</source>
        <translation>%1 memiliki %2</translation>
    </message>
    <message>
        <source>%1; replication is %2</source>
        <translation>%1; replication bernilai %2</translation>
    </message>
    <message>
        <source>%1, expected are %2</source>
        <translation>%1, yang diharapkan %2</translation>
    </message>
    <message>
        <source>set replication: %1</source>
        <translation>tetapkan replication: %1</translation>
    </message>
    <message>
        <source>range %1 overlaps %2 of %3 (line %4) without being equal; replicated are %5</source>
        <translation>rentang %1 tumpang tindih dengan %2 milik %3 (baris %4) tanpa sama persis; yang tereplika %5</translation>
    </message>
    <message>
        <source>end %1 at %2</source>
        <translation>akhiri %1 di %2</translation>
    </message>
    <message>
        <source>start %1 at %2</source>
        <translation>mulai %1 di %2</translation>
    </message>
    <message>
        <source>address %1 means the coordinator&apos;s own machine, yet the cluster has others</source>
        <translation>alamat %1 berarti komputer coordinator sendiri, padahal cluster memakai komputer lain juga</translation>
    </message>
    <message>
        <source>%1: %2 and %3 are on one host and fail together</source>
        <translation>%1: %2 dan %3 berada di satu host dan mati bersama</translation>
    </message>
    <message>
        <source>%1 does not answer</source>
        <translation>%1 tidak menjawab</translation>
    </message>
    <message>
        <source>%1 reports partitions %2, the config says %3</source>
        <translation>%1 melaporkan partisi %2, konfigurasi menyebut %3</translation>
    </message>
    <message>
        <source>give it the ranges that it reports</source>
        <translation>beri rentang yang dilaporkannya</translation>
    </message>
    <message>
        <source>vectors are spread unevenly: %1 holds %2 times its share</source>
        <translation>vektor tersebar tidak merata: %1 memuat %2 kali bagiannya</translation>
    </message>
    <message>
        <source>partitions %1 go from %2 to %3, which holds none of their vectors</source>
        <translation>partisi %1 pindah dari %2 ke %3, yang tidak memuat satu pun vektornya</translation>
    </message>
    <message>
        <source>the file changed since it was read</source>
        <translation>berkas berubah sejak dibaca</translation>
    </message>
    <message>
        <source>the draft equals the running config</source>
        <translation>draf sama dengan konfigurasi yang berjalan</translation>
    </message>
    <message>
        <source>pinned to %1</source>
        <translation>dipatok pada %1</translation>
    </message>
    <message>
        <source>replication %1 wants one more copy</source>
        <translation>replikasi %1 memerlukan satu salinan lagi</translation>
    </message>
    <message>
        <source>replication %1 wants no more copies</source>
        <translation>replikasi %1 tidak memerlukan salinan lagi</translation>
    </message>
    <message>
        <source>%1 leaves</source>
        <translation>%1 keluar</translation>
    </message>
    <message>
        <source>%1 is drained</source>
        <translation>%1 dikosongkan</translation>
    </message>
    <message>
        <source>%1 over target by %2</source>
        <translation>%1 melebihi target sebanyak %2</translation>
    </message>
    <message>
        <source>the range of %1 shifts</source>
        <translation>rentang %1 bergeser</translation>
    </message>
    <message>
        <source>vectors are spread more evenly</source>
        <translation>vektor tersebar lebih merata</translation>
    </message>
    <message>
        <source>replicas are kept apart</source>
        <translation>replika dijaga terpisah</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Several ranges per node would move %1.</source>
        <translation>Beberapa rentang per node akan memindahkan %1.</translation>
    </message>
    <message>
        <source>Several ranges per node would move nothing: it has no plan.</source>
        <translation>Beberapa rentang per node tidak memindahkan apa pun: tidak ada rencananya.</translation>
    </message>
    <message>
        <source>One range per node is not possible with these pins.</source>
        <translation>Satu rentang per node tidak mungkin dengan patokan ini.</translation>
    </message>
    <message>
        <source>One range per node would move %1.</source>
        <translation>Satu rentang per node akan memindahkan %1.</translation>
    </message>
    <message>
        <source>more than 32 nodes: with 256 partitions the shares grow uneven</source>
        <translation>lebih dari 32 node: dengan 256 partisi pembagiannya menjadi tidak merata</translation>
    </message>
    <message>
        <source>the share of %1 is below one partition; it leaves the map</source>
        <translation>bagian %1 kurang dari satu partisi; ia keluar dari peta</translation>
    </message>
    <message>
        <source>partitions %1 have replicas at %2 and %3, both on host %4</source>
        <translation>partisi %1 memiliki replika di %2 dan %3, keduanya di host %4</translation>
    </message>
    <message>
        <source>partitions %1 have replicas at %2 and %3, both in zone %4</source>
        <translation>partisi %1 memiliki replika di %2 dan %3, keduanya di zona %4</translation>
    </message>
    <message>
        <source>Inserting %1 before %2 moves %3 instead of %4 at the end.</source>
        <translation>Menyisipkan %1 sebelum %2 memindahkan %3, di akhir %4.</translation>
    </message>
    <message>
        <source>Inserting %1 between %2 and %3 moves %4 instead of %5 at the end.</source>
        <translation>Menyisipkan %1 di antara %2 dan %3 memindahkan %4, di akhir %5.</translation>
    </message>
</context>
<context>
    <name>Severity</name>
    <message>
        <source>info</source>
        <translation>info</translation>
    </message>
    <message>
        <source>success</source>
        <translation>berhasil</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>peringatan</translation>
    </message>
    <message>
        <source>critical</source>
        <translation>kritis</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>baik</translation>
    </message>
    <message>
        <source>note</source>
        <translation>catatan</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>tidak diketahui</translation>
    </message>
</context>
<context>
    <name>fremis::console::AlertEngine</name>
    <message>
        <source>partitions at risk</source>
        <translation>partisi berisiko</translation>
    </message>
    <message>
        <source>partitions without owner</source>
        <translation>partisi tanpa pemilik</translation>
    </message>
    <message>
        <source>thin partitions</source>
        <translation>partisi tipis</translation>
    </message>
    <message>
        <source>node down</source>
        <translation>node mati</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>memori</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>Memori GPU</translation>
    </message>
    <message>
        <source>long queue</source>
        <translation>antrean panjang</translation>
    </message>
    <message>
        <source>old queue</source>
        <translation>antrean tua</translation>
    </message>
    <message>
        <source>uneven load</source>
        <translation>muatan tidak rata</translation>
    </message>
    <message>
        <source>clock skew</source>
        <translation>selisih jam</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>tidak ada data</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>penyimpangan</translation>
    </message>
    <message>
        <source>%1 is down. %2</source>
        <translation>%1 mati. %2</translation>
    </message>
    <message>
        <source>%1 uses %2 % of its memory.</source>
        <translation>%1 memakai %2 % memorinya.</translation>
    </message>
    <message>
        <source>%1 uses %2 % of its GPU memory.</source>
        <translation>%1 memakai %2 % memori GPU-nya.</translation>
    </message>
    <message>
        <source>%1 writes wait for %2.</source>
        <translation>%1 tulisan menunggu %2.</translation>
    </message>
    <message>
        <source>A write has waited for %1 for %2 minutes.</source>
        <translation>Sebuah tulisan menunggu %1 selama %2 menit.</translation>
    </message>
    <message>
        <source>The clock of %1 is %2 s off.</source>
        <translation>Jam %1 meleset %2 dtk.</translation>
    </message>
    <message>
        <source>Nothing is heard of %1.</source>
        <translation>Tidak ada kabar dari %1.</translation>
    </message>
    <message>
        <source>%1 holds %2 % more vectors than the mean.</source>
        <translation>%1 memegang %2 % vektor lebih banyak dari rata-rata.</translation>
    </message>
    <message>
        <source>%1 is flapping.</source>
        <translation>%1 hidup-mati berulang.</translation>
    </message>
    <message>
        <source>%1%2 is over after %3 s.</source>
        <translation>%1%2 berakhir setelah %3 dtk.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ApplySequence</name>
    <message>
        <source>The draft has errors.</source>
        <translation>Draf memiliki kesalahan.</translation>
    </message>
    <message>
        <source>There is neither a coordinator nor a file to write to.</source>
        <translation>Tidak ada coordinator maupun berkas untuk ditulis.</translation>
    </message>
    <message>
        <source>The file is not the one that was read.</source>
        <translation>Berkas bukan yang tadi dibaca.</translation>
    </message>
    <message>
        <source>The backup %1 could not be written.</source>
        <translation>Cadangan %1 tidak dapat ditulis.</translation>
    </message>
    <message>
        <source>Not every coordinator runs the config %1 yet.</source>
        <translation>Belum semua coordinator menjalankan konfigurasi %1.</translation>
    </message>
</context>
<context>
    <name>fremis::console::CompareModel</name>
    <message>
        <source>same</source>
        <translation>sama</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>berbeda</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Hal</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Pertama</translation>
    </message>
    <message>
        <source>Second</source>
        <translation>Kedua</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Selisih</translation>
    </message>
</context>
<context>
    <name>fremis::console::ConfigModel</name>
    <message>
        <source>Address</source>
        <translation>Alamat</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Awal</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Akhir</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nama</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Bobot</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Baris</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Masalah</translation>
    </message>
    <message>
        <source>The range cannot be read.</source>
        <translation>Rentang tidak dapat dibaca.</translation>
    </message>
    <message>
        <source>Not every owner has told its vectors.</source>
        <translation>Belum semua pemilik melaporkan vektornya.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ConnectionCheck</name>
    <message>
        <source>The profile names no coordinator.</source>
        <translation>Profil tidak menyebut coordinator.</translation>
    </message>
    <message>
        <source>No connection in time.</source>
        <translation>Tidak ada koneksi pada waktunya.</translation>
    </message>
    <message>
        <source>The connection is not encrypted.</source>
        <translation>Koneksi tidak terenkripsi.</translation>
    </message>
    <message>
        <source>It answers.</source>
        <translation>Menjawab.</translation>
    </message>
    <message>
        <source>Version %1.</source>
        <translation>Versi %1.</translation>
    </message>
    <message>
        <source>It does not report its cluster.</source>
        <translation>Tidak melaporkan cluster-nya.</translation>
    </message>
    <message>
        <source>Clients need no key: it is open.</source>
        <translation>Klien tidak memerlukan kunci: terbuka.</translation>
    </message>
</context>
<context>
    <name>fremis::console::DemoTransport</name>
    <message>
        <source>Demonstration</source>
        <translation>Demonstrasi</translation>
    </message>
</context>
<context>
    <name>fremis::console::EventModel</name>
    <message>
        <source>Time (UTC)</source>
        <translation>Waktu (UTC)</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Waktu</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Tingkat</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Subjek</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Peristiwa</translation>
    </message>
</context>
<context>
    <name>fremis::console::KeyspaceModel</name>
    <message>
        <source>Name</source>
        <translation>Nama</translation>
    </message>
    <message>
        <source>Faces</source>
        <translation>Wajah</translation>
    </message>
    <message>
        <source>Variations</source>
        <translation>Variasi</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Bagian</translation>
    </message>
    <message>
        <source>Match threshold</source>
        <translation>Ambang pencocokan</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Dibuat</translation>
    </message>
    <message>
        <source>of the model</source>
        <translation>dari model</translation>
    </message>
</context>
<context>
    <name>fremis::console::LocalCluster</name>
    <message>
        <source>Demo on this computer</source>
        <translation>Demo di komputer ini</translation>
    </message>
</context>
<context>
    <name>fremis::console::NetworkTransport</name>
    <message>
        <source>%1 holds no certificate that can be read.</source>
        <translation>%1 tidak berisi sertifikat yang dapat dibaca.</translation>
    </message>
</context>
<context>
    <name>fremis::console::NodeModel</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 md</translation>
    </message>
    <message>
        <source>The coordinator has not told its queue.</source>
        <translation>Coordinator belum melaporkan antreannya.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>tidak ada</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 dari %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 dtk</translation>
    </message>
    <message>
        <source>Told by the coordinator.</source>
        <translation>Menurut coordinator.</translation>
    </message>
    <message>
        <source>It has not told its vectors.</source>
        <translation>Belum melaporkan vektornya.</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Keadaan</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nama</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Alamat</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>Rentang</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Bagian</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>Timpang</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>Memori GPU</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Termuat</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Antrean</translation>
    </message>
    <message>
        <source>Poll p50</source>
        <translation>Poll p50</translation>
    </message>
    <message>
        <source>Poll p95</source>
        <translation>Poll p95</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Versi</translation>
    </message>
    <message>
        <source>Uptime</source>
        <translation>Waktu hidup</translation>
    </message>
    <message>
        <source>Clock skew</source>
        <translation>Selisih jam</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>Umur</translation>
    </message>
    <message>
        <source>(via coordinator)</source>
        <translation>(lewat coordinator)</translation>
    </message>
    <message>
        <source>Full in</source>
        <translation>Penuh dalam</translation>
    </message>
    <message>
        <source>(maintenance)</source>
        <translation>(perawatan)</translation>
    </message>
    <message>
        <source>Told once memory has grown steadily for an hour.</source>
        <translation>Ditampilkan setelah memori tumbuh tetap selama satu jam.</translation>
    </message>
</context>
<context>
    <name>fremis::console::PartitionMapModel</name>
    <message>
        <source>Partition %1</source>
        <translation>Partisi %1</translation>
    </message>
    <message>
        <source>no owner</source>
        <translation>tanpa pemilik</translation>
    </message>
    <message>
        <source>owner %1 %2</source>
        <translation>pemilik %1 %2</translation>
    </message>
    <message>
        <source>%1 of %2 healthy</source>
        <translation>%1 dari %2 sehat</translation>
    </message>
    <message>
        <source>%1 vectors</source>
        <translation>%1 vektor</translation>
    </message>
    <message>
        <source>vectors unknown</source>
        <translation>vektor tidak diketahui</translation>
    </message>
    <message>
        <source>%1 queued</source>
        <translation>%1 antre</translation>
    </message>
    <message>
        <source>after the plan: %1</source>
        <translation>setelah rencana: %1</translation>
    </message>
</context>
<context>
    <name>fremis::console::PlanModel</name>
    <message>
        <source>move</source>
        <translation>pindah</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>salin</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>lepas</translation>
    </message>
    <message>
        <source>Wave</source>
        <translation>Gelombang</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Jenis</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Jumlah</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Dari</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Ke</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Ukuran</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Alasan</translation>
    </message>
</context>
<context>
    <name>fremis::console::PlanNodeModel</name>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Wish</source>
        <translation>Keinginan</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Bobot</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Sebelum</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Sesudah</translation>
    </message>
    <message>
        <source>In</source>
        <translation>Masuk</translation>
    </message>
    <message>
        <source>Out</source>
        <translation>Keluar</translation>
    </message>
    <message>
        <source>Vectors before</source>
        <translation>Vektor sebelum</translation>
    </message>
    <message>
        <source>Vectors after</source>
        <translation>Vektor sesudah</translation>
    </message>
    <message>
        <source>RAM after</source>
        <translation>RAM sesudah</translation>
    </message>
    <message>
        <source>Ranges after</source>
        <translation>Rentang sesudah</translation>
    </message>
</context>
<context>
    <name>fremis::console::ProblemModel</name>
    <message>
        <source>error</source>
        <translation>kesalahan</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>peringatan</translation>
    </message>
    <message>
        <source>info</source>
        <translation>info</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Tingkat</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Aturan</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Baris</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Masalah</translation>
    </message>
</context>
<context>
    <name>fremis::console::QueueModel</name>
    <message>
        <source>%1 /s</source>
        <translation>%1 /dtk</translation>
    </message>
    <message>
        <source>It does not shrink.</source>
        <translation>Tidak menyusut.</translation>
    </message>
    <message>
        <source>needs a full resync</source>
        <translation>perlu sinkronisasi penuh</translation>
    </message>
    <message>
        <source>no</source>
        <comment>no resync needed</comment>
        <translation>tidak</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Keadaan</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>Tulisan</translation>
    </message>
    <message>
        <source>Enrolments</source>
        <translation>Pendaftaran</translation>
    </message>
    <message>
        <source>Deletes</source>
        <translation>Penghapusan</translation>
    </message>
    <message>
        <source>Keyspace changes</source>
        <translation>Perubahan keyspace</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Ukuran</translation>
    </message>
    <message>
        <source>Oldest</source>
        <translation>Tertua</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Laju</translation>
    </message>
    <message>
        <source>Empty in</source>
        <translation>Kosong dalam</translation>
    </message>
    <message>
        <source>Parked</source>
        <translation>Diparkir</translation>
    </message>
    <message>
        <source>Resync</source>
        <translation>Sinkron ulang</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>Kesalahan terakhir</translation>
    </message>
</context>
<context>
    <name>fremis::console::SnapshotBuilder</name>
    <message>
        <source>The coordinator says: %1</source>
        <translation>Coordinator melaporkan: %1</translation>
    </message>
    <message>
        <source>It says ACTIVE, the coordinator says %1. %2</source>
        <translation>Node melaporkan ACTIVE, coordinator melaporkan %1. %2</translation>
    </message>
    <message>
        <source>It has not answered yet.</source>
        <translation>Belum menjawab.</translation>
    </message>
    <message>
        <source>It reports the partitions %1, the config gives it %2.</source>
        <translation>Node melaporkan partisi %1, konfigurasi memberinya %2.</translation>
    </message>
    <message>
        <source>It runs the config %1, %2 runs %3.</source>
        <translation>Menjalankan konfigurasi %1, %2 menjalankan %3.</translation>
    </message>
    <message>
        <source>It runs the config %1, the file is %2.</source>
        <translation>Menjalankan konfigurasi %1, berkasnya %2.</translation>
    </message>
</context>
<context>
    <name>fremis::console::Words</name>
    <message>
        <source>%1 s</source>
        <translation>%1 dtk</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 mnt</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 jam %2 mnt</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 hari</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>about %1 h</source>
        <translation>sekitar %1 jam</translation>
    </message>
    <message>
        <source>about %1 d</source>
        <translation>sekitar %1 hr</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::AgeLabel</name>
    <message>
        <source>no data yet</source>
        <translation>belum ada data</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ApplySheet</name>
    <message>
        <source>none</source>
        <comment>partitions</comment>
        <translation>tidak ada</translation>
    </message>
    <message>
        <source>No partition changes hands.</source>
        <translation>Tidak ada partisi yang berpindah.</translation>
    </message>
    <message>
        <source>Rolled back draft</source>
        <translation>Draf yang dikembalikan</translation>
    </message>
    <message>
        <source>The cluster runs the new map %1.</source>
        <translation>Cluster menjalankan peta baru %1.</translation>
    </message>
    <message>
        <source>Rolled back: the cluster runs the map %1 again.</source>
        <translation>Dikembalikan: cluster menjalankan peta %1 lagi.</translation>
    </message>
    <message>
        <source>The way back failed: %1</source>
        <translation>Pengembalian gagal: %1</translation>
    </message>
    <message>
        <source>The config was written, but the cluster does not run it: %1</source>
        <translation>Konfigurasi sudah ditulis, tetapi cluster tidak menjalankannya: %1</translation>
    </message>
    <message>
        <source>Nothing was changed; the old map is in use. %1</source>
        <translation>Tidak ada yang diubah; peta lama tetap dipakai. %1</translation>
    </message>
    <message>
        <source>Everybody who can be found now stays findable.</source>
        <translation>Semua yang dapat ditemukan sekarang tetap dapat ditemukan.</translation>
    </message>
    <message>
        <source>Identities in partitions %1 cannot be found afterwards.</source>
        <translation>Identitas di partisi %1 tidak dapat ditemukan sesudahnya.</translation>
    </message>
    <message>
        <source>The data of partitions %1 has already been migrated; apply nevertheless</source>
        <translation>Data partisi %1 sudah dimigrasikan; tetap terapkan</translation>
    </message>
    <message>
        <source>Its diff and impact have to be seen first.</source>
        <translation>Perbedaan dan dampaknya harus dilihat dahulu.</translation>
    </message>
    <message>
        <source>Nothing has been written.</source>
        <translation>Belum ada yang ditulis.</translation>
    </message>
    <message>
        <source>Back to editing</source>
        <translation>Kembali menyunting</translation>
    </message>
    <message>
        <source>Save as runbook...</source>
        <translation>Simpan sebagai runbook...</translation>
    </message>
    <message>
        <source>Roll back</source>
        <translation>Kembalikan</translation>
    </message>
    <message>
        <source>Next: impact</source>
        <translation>Lanjut: dampak</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Selesai</translation>
    </message>
    <message>
        <source>Write to the cluster</source>
        <translation>Tulis ke cluster</translation>
    </message>
    <message>
        <source>Write the file</source>
        <translation>Tulis berkas</translation>
    </message>
    <message>
        <source>Partitions that change hands</source>
        <translation>Partisi yang berpindah</translation>
    </message>
    <message>
        <source>Their vectors</source>
        <translation>Vektornya</translation>
    </message>
    <message>
        <source>Not findable afterwards</source>
        <translation>Tidak dapat ditemukan sesudahnya</translation>
    </message>
    <message>
        <source>Vectors not findable</source>
        <translation>Vektor yang tidak dapat ditemukan</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Tidak diketahui</translation>
    </message>
    <message>
        <source>%1 has not told what it holds: whether data would be left behind, nobody can say.</source>
        <translation>%1 belum memberi tahu isinya: tidak diketahui apakah ada data yang tertinggal.</translation>
    </message>
    <message>
        <source>Nodes to restart, in this order</source>
        <translation>Node yang harus dimulai ulang, menurut urutan ini</translation>
    </message>
    <message>
        <source>none</source>
        <comment>nodes</comment>
        <translation>tidak ada</translation>
    </message>
    <message>
        <source>Who gives what to whom</source>
        <translation>Siapa memberi apa kepada siapa</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Peringatan</translation>
    </message>
    <message>
        <source>Map before</source>
        <translation>Peta sebelum</translation>
    </message>
    <message>
        <source>Map after</source>
        <translation>Peta sesudah</translation>
    </message>
    <message>
        <source>Written to</source>
        <translation>Ditulis ke</translation>
    </message>
    <message>
        <source>Backup</source>
        <translation>Cadangan</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Sekarang</translation>
    </message>
    <message>
        <source>Writing...</source>
        <translation>Menulis...</translation>
    </message>
    <message>
        <source>Waiting until every coordinator runs the new map...</source>
        <translation>Menunggu sampai setiap coordinator menjalankan peta baru...</translation>
    </message>
    <message>
        <source>Writing the old text again...</source>
        <translation>Menulis kembali teks lama...</translation>
    </message>
    <message>
        <source>Partitions at risk</source>
        <translation>Partisi berisiko</translation>
    </message>
    <message>
        <source>Still to do</source>
        <translation>Masih harus dilakukan</translation>
    </message>
    <message>
        <source>Restart %1 with the new ranges.</source>
        <translation>Mulai ulang %1 dengan rentang baru.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Alasan</translation>
    </message>
    <message>
        <source>Save as runbook</source>
        <translation>Simpan sebagai runbook</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>Perbedaan</translation>
    </message>
    <message>
        <source>Impact</source>
        <translation>Dampak</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Tulis</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>Verifikasi</translation>
    </message>
    <message>
        <source>The change in words</source>
        <translation>Perubahan dalam kata-kata</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Draf</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::BottomPanel</name>
    <message>
        <source>console</source>
        <translation>konsol</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivitas</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Masalah</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Peristiwa</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Filter the list</source>
        <translation>Saring daftar</translation>
    </message>
    <message>
        <source>Follow the newest entry</source>
        <translation>Ikuti entri terbaru</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>Kosongkan daftar</translation>
    </message>
    <message>
        <source>Close the panel</source>
        <translation>Tutup panel</translation>
    </message>
    <message>
        <source>Log of requests</source>
        <translation>Log permintaan</translation>
    </message>
    <message>
        <source>Nothing is wrong.</source>
        <translation>Tidak ada yang salah.</translation>
    </message>
    <message>
        <source>Connect to see this.</source>
        <translation>Hubungkan untuk melihat ini.</translation>
    </message>
    <message>
        <source>Nothing has been done yet.</source>
        <translation>Belum ada yang dilakukan.</translation>
    </message>
    <message>
        <source>Nothing has happened since the console was opened.</source>
        <translation>Belum ada peristiwa sejak konsol dibuka.</translation>
    </message>
    <message>
        <source>No request yet.</source>
        <translation>Belum ada permintaan.</translation>
    </message>
    <message>
        <source>Filter, or /regular expression/</source>
        <translation>Filter, atau /ekspresi reguler/</translation>
    </message>
    <message>
        <source>Times in UTC instead of local time</source>
        <translation>Waktu dalam UTC, bukan waktu setempat</translation>
    </message>
    <message>
        <source>Export the list as CSV</source>
        <translation>Ekspor daftar sebagai CSV</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::CallModel</name>
    <message>
        <source>Time</source>
        <translation>Waktu</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Metode</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Alamat</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Lama</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>Diterima</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Kesalahan</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::CandidateModel</name>
    <message>
        <source>Rank</source>
        <translation>Peringkat</translation>
    </message>
    <message>
        <source>Face id</source>
        <translation>Id wajah</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>Kemiripan</translation>
    </message>
    <message>
        <source>Raw score</source>
        <translation>Skor mentah</translation>
    </message>
    <message>
        <source>To the next</source>
        <translation>Ke berikutnya</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Photo %1</source>
        <translation>Foto %1</translation>
    </message>
    <message>
        <source>Above the threshold</source>
        <translation>Di atas ambang</translation>
    </message>
    <message>
        <source>Below the threshold</source>
        <translation>Di bawah ambang</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ClusterBar</name>
    <message numerus="yes">
        <source>(%n unknown)</source>
        <comment>nodes</comment>
        <translation>
            <numerusform>(%n tidak diketahui)</numerusform>
        </translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>%1 ok</source>
        <comment>partitions</comment>
        <translation>%1 baik</translation>
    </message>
    <message>
        <source>%1 AT RISK</source>
        <comment>partitions</comment>
        <translation>%1 BERISIKO</translation>
    </message>
    <message>
        <source>%1 gap</source>
        <comment>partitions</comment>
        <translation>%1 celah</translation>
    </message>
    <message>
        <source>%1 thin</source>
        <comment>partitions</comment>
        <translation>%1 tipis</translation>
    </message>
    <message>
        <source>%1 over-assigned</source>
        <comment>partitions</comment>
        <translation>%1 berlebih</translation>
    </message>
    <message>
        <source>%1 unknown</source>
        <comment>partitions</comment>
        <translation>%1 tidak diketahui</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Antrean</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::CommandPalette</name>
    <message>
        <source>Command palette</source>
        <translation>Palet perintah</translation>
    </message>
    <message>
        <source>Action or page; p 182, n worker-7, k visitors, f visitors alice-01</source>
        <translation>Tindakan atau halaman; p 182, n worker-7, k tamu, f tamu alice-01</translation>
    </message>
    <message>
        <source>Search or run</source>
        <translation>Cari atau jalankan</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Ditemukan</translation>
    </message>
    <message>
        <source>Partitions %1</source>
        <translation>Partisi %1</translation>
    </message>
    <message>
        <source>Node %1</source>
        <translation>Node %1</translation>
    </message>
    <message>
        <source>Keyspace %1</source>
        <translation>Keyspace %1</translation>
    </message>
    <message>
        <source>Partition of face %2 in %1</source>
        <translation>Partisi wajah %2 di %1</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ConfigPage</name>
    <message>
        <source>Edit the cluster&apos;s config</source>
        <translation>Sunting konfigurasi cluster</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Kembalikan</translation>
    </message>
    <message>
        <source>Save a copy</source>
        <translation>Simpan salinan</translation>
    </message>
    <message>
        <source>The coordinator&apos;s config</source>
        <translation>Konfigurasi coordinator</translation>
    </message>
    <message>
        <source>Nothing has been read yet.</source>
        <translation>Belum ada yang dibaca.</translation>
    </message>
    <message>
        <source>A recorded snapshot cannot be changed.</source>
        <translation>Rekaman tidak dapat diubah.</translation>
    </message>
    <message>
        <source>The draft changes nothing.</source>
        <translation>Draf tidak mengubah apa pun.</translation>
    </message>
    <message>
        <source>Partitions %1 would lose their vectors; see the problems.</source>
        <translation>Partisi %1 akan kehilangan vektornya; lihat masalah.</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s) have to be mended first.</source>
        <translation>
            <numerusform>%n kesalahan harus diperbaiki dahulu.</numerusform>
        </translation>
    </message>
    <message>
        <source>On the Configuration page only.</source>
        <translation>Hanya di halaman Konfigurasi.</translation>
    </message>
    <message>
        <source>The draft has errors.</source>
        <translation>Draf berisi kesalahan.</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>Tidak ada yang dapat diurungkan.</translation>
    </message>
    <message>
        <source>There is nothing to redo.</source>
        <translation>Tidak ada yang dapat diulangi.</translation>
    </message>
    <message>
        <source>It is the cluster&apos;s config that is edited.</source>
        <translation>Yang disunting adalah konfigurasi cluster.</translation>
    </message>
    <message>
        <source>Choose an entry first.</source>
        <translation>Pilih entri dahulu.</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Tidak ada masalah</translation>
    </message>
    <message>
        <source>Apply the draft</source>
        <translation>Terapkan draf</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfigurasi</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Pulihkan</translation>
    </message>
    <message>
        <source>A draft of %1 was not applied and has been kept.</source>
        <translation>Draf dari %1 belum diterapkan dan telah disimpan.</translation>
    </message>
    <message>
        <source>As it was read</source>
        <translation>Seperti yang dibaca</translation>
    </message>
    <message>
        <source>Set %1 of entry %2</source>
        <translation>Atur %1 pada entri %2</translation>
    </message>
    <message>
        <source>Split evenly</source>
        <translation>Bagi rata</translation>
    </message>
    <message>
        <source>Insert a node</source>
        <translation>Sisipkan node</translation>
    </message>
    <message>
        <source>Its address, like 10.0.0.9:4003</source>
        <translation>Alamatnya, misalnya 10.0.0.9:4003</translation>
    </message>
    <message>
        <source>Insert %1</source>
        <translation>Sisipkan %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 gets %n partition(s).</source>
        <translation>
            <numerusform>%1 mendapat %n partisi.</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove entry %1</source>
        <translation>Hapus entri %1</translation>
    </message>
    <message>
        <source>Sort by partition</source>
        <translation>Urutkan menurut partisi</translation>
    </message>
    <message>
        <source>The draft is changed. Drop it?</source>
        <translation>Draf sudah berubah. Buang?</translation>
    </message>
    <message>
        <source>Drop the draft</source>
        <translation>Buang draf</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Muat ulang</translation>
    </message>
    <message>
        <source>Open a config file</source>
        <translation>Buka berkas konfigurasi</translation>
    </message>
    <message>
        <source>That was not done: %1</source>
        <translation>Itu tidak dilakukan: %1</translation>
    </message>
    <message>
        <source>This coordinator does not offer its config (/v1/cluster/config). Open the file itself.</source>
        <translation>Coordinator ini tidak menyediakan konfigurasinya (/v1/cluster/config). Buka berkasnya.</translation>
    </message>
    <message>
        <source>Waiting for the config...</source>
        <translation>Menunggu konfigurasi...</translation>
    </message>
    <message>
        <source>Export entries</source>
        <translation>Ekspor entri</translation>
    </message>
    <message>
        <source>Entries of the draft for %1; partitions and vectors are counts</source>
        <translation>Entri draf untuk %1; partisi dan vektor adalah jumlah</translation>
    </message>
    <message>
        <source>How the draft is shown</source>
        <translation>Cara draf ditampilkan</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabel</translation>
    </message>
    <message>
        <source>One row for each entry; double click or F2 edits a cell</source>
        <translation>Satu baris untuk setiap entri; klik ganda atau F2 menyunting sel</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Teks</translation>
    </message>
    <message>
        <source>The file itself</source>
        <translation>Berkas itu sendiri</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Peta</translation>
    </message>
    <message>
        <source>Who would own each partition</source>
        <translation>Siapa yang akan memiliki setiap partisi</translation>
    </message>
    <message>
        <source>Diff</source>
        <translation>Perbedaan</translation>
    </message>
    <message>
        <source>What the draft changes (Ctrl+D)</source>
        <translation>Apa yang diubah draf (Ctrl+D)</translation>
    </message>
    <message>
        <source>History of the draft</source>
        <translation>Riwayat draf</translation>
    </message>
    <message>
        <source>Entries of the draft</source>
        <translation>Entri draf</translation>
    </message>
    <message>
        <source>Text of the draft</source>
        <translation>Teks draf</translation>
    </message>
    <message>
        <source>Partition map of the draft, 16 rows of 16 partitions</source>
        <translation>Peta partisi draf, 16 baris berisi 16 partisi</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Draf</translation>
    </message>
    <message>
        <source>The draft has no entry that can be read.</source>
        <translation>Draf tidak berisi entri yang dapat dibaca.</translation>
    </message>
    <message>
        <source>Merge two changes</source>
        <translation>Gabungkan dua perubahan</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ConfirmDialog</name>
    <message>
        <source>Type %1 to confirm:</source>
        <translation>Ketik %1 untuk konfirmasi:</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ConnectDialog</name>
    <message>
        <source>Connect to a coordinator</source>
        <translation>Hubungkan ke coordinator</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>Warna %1</translation>
    </message>
    <message>
        <source>&amp;Coordinator</source>
        <translation>&amp;Coordinator</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Nama</translation>
    </message>
    <message>
        <source>&amp;Environment</source>
        <translation>&amp;Lingkungan</translation>
    </message>
    <message>
        <source>C&amp;olour</source>
        <translation>&amp;Warna</translation>
    </message>
    <message>
        <source>&amp;Access key</source>
        <translation>Kunci &amp;akses</translation>
    </message>
    <message>
        <source>&amp;Secret key</source>
        <translation>Kunci &amp;rahasia</translation>
    </message>
    <message>
        <source>Keys are only needed to change the cluster. They go to the keychain.</source>
        <translation>Kunci hanya diperlukan untuk mengubah cluster. Kunci disimpan di keychain.</translation>
    </message>
    <message>
        <source>Keys are only needed to change the cluster. There is no keychain: they are kept for this session only.</source>
        <translation>Kunci hanya diperlukan untuk mengubah cluster. Tidak ada keychain: kunci disimpan untuk sesi ini saja.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Hubungkan</translation>
    </message>
    <message>
        <source>An address looks like http://10.0.0.5:4005, without a path.</source>
        <translation>Alamat berbentuk http://10.0.0.5:4005, tanpa path.</translation>
    </message>
    <message>
        <source>Both keys are needed, or none.</source>
        <translation>Kedua kunci diperlukan, atau tidak sama sekali.</translation>
    </message>
    <message>
        <source>Name %1</source>
        <translation>Nama %1</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Koneksi</translation>
    </message>
    <message>
        <source>Encryption</source>
        <translation>Enkripsi</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>Kesehatan</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Akses</translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <source>waiting</source>
        <comment>a step of a test</comment>
        <translation>menunggu</translation>
    </message>
    <message>
        <source>trying...</source>
        <comment>a step of a test</comment>
        <translation>mencoba...</translation>
    </message>
    <message>
        <source>ok</source>
        <comment>a step of a test</comment>
        <translation>baik</translation>
    </message>
    <message>
        <source>look</source>
        <comment>a step of a test that has a remark</comment>
        <translation>perhatikan</translation>
    </message>
    <message>
        <source>failed</source>
        <comment>a step of a test</comment>
        <translation>gagal</translation>
    </message>
    <message>
        <source>skipped</source>
        <comment>a step of a test</comment>
        <translation>dilewati</translation>
    </message>
    <message>
        <source>Trust this certificate</source>
        <translation>Percayai sertifikat ini</translation>
    </message>
    <message>
        <source>&amp;Test connection</source>
        <translation>&amp;Uji koneksi</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::DataTable</name>
    <message>
        <source>Copy rows</source>
        <translation>Salin baris</translation>
    </message>
    <message>
        <source>Nothing matches the filter.</source>
        <translation>Tidak ada yang cocok dengan filter.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::DiffView</name>
    <message>
        <source>Text before</source>
        <translation>Teks sebelum</translation>
    </message>
    <message>
        <source>Text after</source>
        <translation>Teks sesudah</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::DraftDesk</name>
    <message>
        <source>Typing</source>
        <translation>Mengetik</translation>
    </message>
    <message>
        <source>Quick fix</source>
        <translation>Perbaikan cepat</translation>
    </message>
    <message>
        <source>Quick fix: %1</source>
        <translation>Perbaikan cepat: %1</translation>
    </message>
    <message>
        <source>Edits since the write</source>
        <translation>Suntingan sejak penulisan</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Gabungkan</translation>
    </message>
    <message>
        <source>Kept draft</source>
        <translation>Draf tersimpan</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::EpochStrip</name>
    <message>
        <source>unknown</source>
        <comment>epoch</comment>
        <translation>tidak diketahui</translation>
    </message>
    <message>
        <source>Only the coordinator sees its file.</source>
        <translation>Hanya coordinator yang melihat berkasnya.</translation>
    </message>
    <message>
        <source>No coordinator has told its map.</source>
        <translation>Belum ada coordinator yang memberi tahu petanya.</translation>
    </message>
    <message>
        <source>has errors</source>
        <comment>draft</comment>
        <translation>berisi kesalahan</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n perubahan</numerusform>
        </translation>
    </message>
    <message>
        <source>File</source>
        <comment>epoch</comment>
        <translation>Berkas</translation>
    </message>
    <message>
        <source>Running</source>
        <comment>epoch</comment>
        <translation>Berjalan</translation>
    </message>
    <message>
        <source>Draft</source>
        <comment>epoch</comment>
        <translation>Draf</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::FaceBrowser</name>
    <message numerus="yes">
        <source>%1    partition %2, %n photo(s)</source>
        <translation>
            <numerusform>%1    partisi %2, %n foto</numerusform>
        </translation>
    </message>
    <message>
        <source>No faces.</source>
        <translation>Tidak ada wajah.</translation>
    </message>
    <message numerus="yes">
        <source>%n face(s) listed</source>
        <translation>
            <numerusform>%n wajah terdaftar di sini</numerusform>
        </translation>
    </message>
    <message>
        <source>Faces</source>
        <translation>Wajah</translation>
    </message>
    <message>
        <source>Faces of %1</source>
        <translation>Wajah dari %1</translation>
    </message>
    <message>
        <source>List faces</source>
        <translation>Tampilkan wajah</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Lainnya</translation>
    </message>
    <message>
        <source>List more faces</source>
        <translation>Tampilkan wajah lainnya</translation>
    </message>
    <message>
        <source>Export faces</source>
        <translation>Ekspor wajah</translation>
    </message>
    <message>
        <source>Faces of keyspace %1</source>
        <translation>Wajah di keyspace %1</translation>
    </message>
    <message>
        <source>Faces of %1 over the 256 partitions</source>
        <translation>Wajah %1 di 256 partisi</translation>
    </message>
    <message>
        <source>%1 faces counted so far...</source>
        <translation>%1 wajah sudah dihitung...</translation>
    </message>
    <message>
        <source>Not all faces were counted: %1</source>
        <translation>Tidak semua wajah terhitung: %1</translation>
    </message>
    <message>
        <source>Offered up to %1 faces: they are counted by listing all of them.</source>
        <translation>Tersedia sampai %1 wajah: dihitung dengan mendaftar semuanya.</translation>
    </message>
    <message>
        <source>Counts the faces of each partition by listing all of them</source>
        <translation>Menghitung wajah tiap partisi dengan mendaftar semuanya</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Ekspor</translation>
    </message>
    <message>
        <source>Export the listed faces</source>
        <translation>Ekspor wajah yang terdaftar</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Sebaran</translation>
    </message>
    <message>
        <source>Measure the spread of the keyspace</source>
        <translation>Ukur sebaran keyspace</translation>
    </message>
    <message>
        <source>Id begins with</source>
        <translation>Id diawali</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::FanOutView</name>
    <message>
        <source>%1, best %2</source>
        <comment>time, similarity</comment>
        <translation>%1, terbaik %2</translation>
    </message>
    <message>
        <source>%1 - slowest</source>
        <translation>%1 - paling lambat</translation>
    </message>
    <message>
        <source>Times of the nodes</source>
        <translation>Waktu node</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Finder</name>
    <message>
        <source>A face&apos;s partition follows from its keyspace and id alone.</source>
        <translation>Partisi wajah ditentukan oleh keyspace dan id saja.</translation>
    </message>
    <message>
        <source>&quot;%1-%2&quot; has byte %3: partition %4</source>
        <translation>&quot;%1-%2&quot; memiliki byte %3: partisi %4</translation>
    </message>
    <message>
        <source>&amp;Keyspace</source>
        <translation>&amp;Keyspace</translation>
    </message>
    <message>
        <source>Face &amp;id</source>
        <translation>&amp;Id wajah</translation>
    </message>
    <message>
        <source>Keyspace</source>
        <translation>Keyspace</translation>
    </message>
    <message>
        <source>Face id</source>
        <translation>Id wajah</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::FindingModel</name>
    <message>
        <source>Severity</source>
        <translation>Tingkat</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>Subjek</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Apa yang salah</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Format</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 dtk</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 mnt</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 jam</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 jam %2 mnt</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 hari</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>baru saja</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1 lalu</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 md</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::HeaderBar</name>
    <message>
        <source>Search or run...   Ctrl+K</source>
        <translation>Cari atau jalankan...   Ctrl+K</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Palet perintah</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Tidak terhubung</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Profile: %1</source>
        <translation>Profil: %1</translation>
    </message>
    <message>
        <source>OPEN</source>
        <comment>no key needed</comment>
        <translation>TERBUKA</translation>
    </message>
    <message>
        <source>Callers of this cluster need no key.</source>
        <translation>Pemanggil cluster ini tidak memerlukan kunci.</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Hanya-baca</translation>
    </message>
    <message>
        <source>Unlocked</source>
        <translation>Tidak terkunci</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::InfoBanner</name>
    <message>
        <source>Close this message</source>
        <translation>Tutup pesan ini</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Inspector</name>
    <message>
        <source>Inspector</source>
        <translation>Inspektur</translation>
    </message>
    <message>
        <source>Details appear here once a cluster is connected.</source>
        <translation>Rincian muncul di sini setelah cluster terhubung.</translation>
    </message>
    <message>
        <source>Partition %1</source>
        <translation>Partisi %1</translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s)</source>
        <translation>
            <numerusform>%n partisi</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>Tidak ada yang dipilih</translation>
    </message>
    <message>
        <source>Select partitions on the map or a node to see who owns what, who answers and what is missing.</source>
        <translation>Pilih partisi di peta atau sebuah node untuk melihat siapa memiliki apa, siapa menjawab, dan apa yang kurang.</translation>
    </message>
    <message>
        <source>never answered</source>
        <translation>tidak pernah menjawab</translation>
    </message>
    <message>
        <source>one owner, nothing to compare</source>
        <translation>satu pemilik, tidak ada pembanding</translation>
    </message>
    <message>
        <source>all owners hold the same number</source>
        <translation>semua pemilik memegang jumlah yang sama</translation>
    </message>
    <message>
        <source>differ by %1</source>
        <translation>berbeda %1</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Keadaan</translation>
    </message>
    <message>
        <source>Healthy owners</source>
        <translation>Pemilik sehat</translation>
    </message>
    <message>
        <source>%1 of %2 expected</source>
        <translation>%1 dari %2 yang diharapkan</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replika</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Antrean</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>Pemilik</translation>
    </message>
    <message>
        <source>Nobody owns it: faces of this partition cannot be found or enrolled.</source>
        <translation>Tidak ada pemilik: wajah partisi ini tidak dapat ditemukan atau didaftarkan.</translation>
    </message>
    <message>
        <source>Last answer</source>
        <translation>Jawaban terakhir</translation>
    </message>
    <message>
        <source>Configured by</source>
        <translation>Dikonfigurasi oleh</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Alasan</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>Rentang</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>sedikitnya %1</translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s), %1</source>
        <translation>
            <numerusform>%n partisi, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Sejak</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Alamat</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>Melaporkan</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prosesor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memori</translation>
    </message>
    <message>
        <source>Of which the worker</source>
        <translation>Di antaranya worker</translation>
    </message>
    <message>
        <source>Seen through the coordinator only.</source>
        <translation>Hanya terlihat lewat coordinator.</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Versi</translation>
    </message>
    <message>
        <source>Safe to stop?</source>
        <translation>Aman dihentikan?</translation>
    </message>
    <message>
        <source>Yes: another healthy owner holds every partition, and no write waits.</source>
        <translation>Ya: pemilik sehat lain memegang setiap partisi, dan tidak ada tulisan menunggu.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>Tombol</translation>
    </message>
    <message>
        <source>Filter actions</source>
        <translation>Saring tindakan</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Tindakan</translation>
    </message>
    <message>
        <source>Press the new keys</source>
        <translation>Tekan tombol yang baru</translation>
    </message>
    <message>
        <source>A&amp;ssign</source>
        <translation>&amp;Tetapkan</translation>
    </message>
    <message>
        <source>&amp;No key</source>
        <translation>Ta&amp;npa tombol</translation>
    </message>
    <message>
        <source>&amp;Default</source>
        <translation>&amp;Bawaan</translation>
    </message>
    <message>
        <source>&amp;All as delivered</source>
        <translation>&amp;Semua seperti bawaan</translation>
    </message>
    <message>
        <source>On the map: 1 to 4 choose what it shows, N and Shift+N go to problems, + - 0 change the size, Enter opens the inspector.</source>
        <translation>Di peta: 1 sampai 4 memilih yang ditampilkan, N dan Shift+N menuju masalah, + - 0 mengubah ukuran, Enter membuka inspektur.</translation>
    </message>
    <message>
        <source>Taken by &quot;%1&quot;.</source>
        <translation>Dipakai oleh &quot;%1&quot;.</translation>
    </message>
    <message>
        <source>Chosen by you</source>
        <translation>Pilihan Anda</translation>
    </message>
    <message>
        <source>A letter alone would be missing in every text. Hold Ctrl or Alt with it.</source>
        <translation>Satu huruf saja akan hilang dari setiap teks. Tekan bersama Ctrl atau Alt.</translation>
    </message>
    <message>
        <source>%1 is taken by &quot;%2&quot;.</source>
        <translation>%1 dipakai oleh &quot;%2&quot;.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::KeyspacesPage</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 dari %2</translation>
    </message>
    <message>
        <source>This coordinator does not list its keyspaces (/v1/face/keyspace).</source>
        <translation>Coordinator ini tidak mendaftar keyspace-nya (/v1/face/keyspace).</translation>
    </message>
    <message>
        <source>Waiting for the keyspaces...</source>
        <translation>Menunggu keyspace...</translation>
    </message>
    <message>
        <source>No keyspaces yet. Create one.</source>
        <translation>Belum ada keyspace. Buat baru.</translation>
    </message>
    <message>
        <source>New keyspace...</source>
        <translation>Keyspace baru...</translation>
    </message>
    <message>
        <source>Enrolled photos</source>
        <translation>Foto terdaftar</translation>
    </message>
    <message>
        <source>Keyspaces</source>
        <translation>Keyspace</translation>
    </message>
    <message>
        <source>Some workers have not told their faces: the counts are too low.</source>
        <translation>Sebagian worker belum melaporkan wajahnya: jumlahnya terlalu rendah.</translation>
    </message>
    <message>
        <source>Choose a keyspace first.</source>
        <translation>Pilih keyspace dulu.</translation>
    </message>
    <message>
        <source>New keyspace</source>
        <translation>Keyspace baru</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Nama</translation>
    </message>
    <message>
        <source>%1 cannot be a keyspace&apos;s name.</source>
        <translation>%1 tidak dapat menjadi nama keyspace.</translation>
    </message>
    <message>
        <source>Keyspace %1 is there.</source>
        <translation>Keyspace %1 sudah ada.</translation>
    </message>
    <message>
        <source>Keyspace %1 was not created: %2</source>
        <translation>Keyspace %1 tidak dibuat: %2</translation>
    </message>
    <message>
        <source>%1 faces become unfindable at once and cannot be brought back.</source>
        <translation>%1 wajah langsung tidak ditemukan dan tidak dapat dikembalikan.</translation>
    </message>
    <message>
        <source>%1 is down: the deletion will be queued for it.</source>
        <translation>%1 mati: penghapusan akan diantrekan untuknya.</translation>
    </message>
    <message>
        <source>The keyspace default itself stays, emptied.</source>
        <translation>Keyspace default sendiri tetap ada, dikosongkan.</translation>
    </message>
    <message>
        <source>A new keyspace of that name starts empty.</source>
        <translation>Keyspace baru dengan nama itu dimulai kosong.</translation>
    </message>
    <message>
        <source>Delete keyspace</source>
        <translation>Hapus keyspace</translation>
    </message>
    <message>
        <source>Delete keyspace %1 and all its faces?</source>
        <translation>Hapus keyspace %1 beserta semua wajahnya?</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Hapus</translation>
    </message>
    <message>
        <source>Keyspace %1 is deleted.</source>
        <translation>Keyspace %1 dihapus.</translation>
    </message>
    <message>
        <source>Keyspace %1 was not deleted: %2</source>
        <translation>Keyspace %1 tidak dihapus: %2</translation>
    </message>
    <message>
        <source>Export keyspaces</source>
        <translation>Ekspor keyspace</translation>
    </message>
    <message>
        <source>Keyspaces of %1; faces and photos are counts</source>
        <translation>Keyspace dari %1; wajah dan foto adalah jumlah</translation>
    </message>
    <message>
        <source>Filter keyspaces</source>
        <translation>Saring keyspace</translation>
    </message>
    <message>
        <source>Vectors over the 256 partitions, all keyspaces</source>
        <translation>Vektor di 256 partisi, semua keyspace</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::LegendChip</name>
    <message numerus="yes">
        <source>%1, %n partition(s), %2 vectors, %3</source>
        <translation>
            <numerusform>%1, %n partisi, %2 vektor, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s): %1</source>
        <translation>
            <numerusform>%n partisi: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Scale: %1</source>
        <translation>Skala: %1</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Lock</name>
    <message>
        <source>Locked (Ctrl+Shift+L unlocks for 15 minutes)</source>
        <translation>Terkunci (Ctrl+Shift+L membuka selama 15 menit)</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::MainWindow</name>
    <message>
        <source>About FREMIS Console</source>
        <translation>Tentang FREMIS Console</translation>
    </message>
    <message>
        <source>The console is read-only.</source>
        <translation>Konsol hanya-baca.</translation>
    </message>
    <message>
        <source>Unlocked for 15 minutes.</source>
        <translation>Dibuka selama 15 menit.</translation>
    </message>
    <message>
        <source>Not connected.</source>
        <translation>Tidak terhubung.</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Tidak terhubung</translation>
    </message>
    <message>
        <source>Connecting...</source>
        <translation>Menghubungkan...</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Dijeda</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Langsung</translation>
    </message>
    <message>
        <source>no coordinator answers</source>
        <translation>tidak ada coordinator yang menjawab</translation>
    </message>
    <message>
        <source>coordinator %1</source>
        <translation>coordinator %1</translation>
    </message>
    <message>
        <source>map %1</source>
        <translation>peta %1</translation>
    </message>
    <message>
        <source>keychain ok</source>
        <translation>keychain baik</translation>
    </message>
    <message>
        <source>secrets for this session only</source>
        <translation>rahasia untuk sesi ini saja</translation>
    </message>
    <message>
        <source>locks in %1</source>
        <translation>terkunci dalam %1</translation>
    </message>
    <message>
        <source>FREMIS Console</source>
        <translation>FREMIS Console</translation>
    </message>
    <message>
        <source>%1 (%2) - FREMIS Console</source>
        <translation>%1 (%2) - FREMIS Console</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Coba lagi</translation>
    </message>
    <message>
        <source>Secrets are kept for this session only: there is no keychain that works.</source>
        <translation>Rahasia disimpan untuk sesi ini saja: tidak ada keychain yang berfungsi.</translation>
    </message>
    <message>
        <source>Over after %1: %2</source>
        <translation>Selesai setelah %1: %2</translation>
    </message>
    <message>
        <source>It comes and goes, no more is said of it: %1</source>
        <translation>Datang dan pergi, tidak diberitahukan lagi: %1</translation>
    </message>
    <message>
        <source>The profile could not be saved.</source>
        <translation>Profil tidak dapat disimpan.</translation>
    </message>
    <message>
        <source>The demo cluster does not run.</source>
        <translation>Cluster demo tidak berjalan.</translation>
    </message>
    <message>
        <source>fremis_n_app is neither beside the console nor in PATH.</source>
        <translation>fremis_n_app tidak ada di samping konsol maupun di PATH.</translation>
    </message>
    <message>
        <source>Starting four servers on this computer...</source>
        <translation>Menjalankan empat server di komputer ini...</translation>
    </message>
    <message>
        <source>Export the list</source>
        <translation>Ekspor daftar</translation>
    </message>
    <message>
        <source>A snapshot cannot be changed.</source>
        <translation>Snapshot tidak dapat diubah.</translation>
    </message>
    <message>
        <source>Nothing of a snapshot is live.</source>
        <translation>Tidak ada yang langsung di dalam snapshot.</translation>
    </message>
    <message>
        <source>No snapshot is open.</source>
        <translation>Tidak ada snapshot yang terbuka.</translation>
    </message>
    <message>
        <source>Nothing here is live.</source>
        <translation>Tidak ada yang langsung di sini.</translation>
    </message>
    <message>
        <source>SNAPSHOT %1</source>
        <translation>SNAPSHOT %1</translation>
    </message>
    <message>
        <source>Open a snapshot</source>
        <translation>Buka snapshot</translation>
    </message>
    <message>
        <source>Snapshots (*.fremis-snapshot)</source>
        <translation>Snapshot (*.fremis-snapshot)</translation>
    </message>
    <message>
        <source>There is nothing to save yet.</source>
        <translation>Belum ada yang dapat disimpan.</translation>
    </message>
    <message>
        <source>Save a snapshot</source>
        <translation>Simpan snapshot</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>Tersimpan: %1</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 tidak dapat ditulis: %2</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::MapPage</name>
    <message>
        <source>Copy numbers</source>
        <translation>Salin nomor</translation>
    </message>
    <message>
        <source>Copy as config ranges</source>
        <translation>Salin sebagai rentang config</translation>
    </message>
    <message>
        <source>Show nodes</source>
        <translation>Tampilkan node</translation>
    </message>
    <message>
        <source>Show queue</source>
        <translation>Tampilkan antrean</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>Masalah berikutnya</translation>
    </message>
    <message>
        <source>Partitions of %1; vectors and queued writes are counts</source>
        <translation>Partisi dari %1; vektor dan tulisan antre adalah jumlah</translation>
    </message>
    <message>
        <source>Export partitions</source>
        <translation>Ekspor partisi</translation>
    </message>
    <message>
        <source>Export the map</source>
        <translation>Ekspor peta</translation>
    </message>
    <message>
        <source>Partition map</source>
        <translation>Peta partisi</translation>
    </message>
    <message>
        <source>Owner</source>
        <comment>lens</comment>
        <translation>Pemilik</translation>
    </message>
    <message>
        <source>Who owns each partition (1)</source>
        <translation>Siapa pemilik tiap partisi (1)</translation>
    </message>
    <message>
        <source>Load</source>
        <comment>lens</comment>
        <translation>Muatan</translation>
    </message>
    <message>
        <source>Vectors of each partition (2)</source>
        <translation>Vektor tiap partisi (2)</translation>
    </message>
    <message>
        <source>Health</source>
        <comment>lens</comment>
        <translation>Kesehatan</translation>
    </message>
    <message>
        <source>Healthy owners of each partition (3)</source>
        <translation>Pemilik sehat tiap partisi (3)</translation>
    </message>
    <message>
        <source>Queue</source>
        <comment>lens</comment>
        <translation>Antrean</translation>
    </message>
    <message>
        <source>Writes that wait for owners of each partition (4)</source>
        <translation>Tulisan yang menunggu pemilik tiap partisi (4)</translation>
    </message>
    <message>
        <source>What the cells show</source>
        <translation>Yang ditunjukkan sel</translation>
    </message>
    <message>
        <source>182-207, 5</source>
        <translation>182-207, 5</translation>
    </message>
    <message>
        <source>Selected partitions</source>
        <translation>Partisi terpilih</translation>
    </message>
    <message>
        <source>Selected partitions, like 182-207, 5</source>
        <translation>Partisi terpilih, seperti 182-207, 5</translation>
    </message>
    <message>
        <source>Find a face</source>
        <translation>Cari wajah</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Lainnya</translation>
    </message>
    <message>
        <source>More for the map</source>
        <translation>Lainnya untuk peta</translation>
    </message>
    <message>
        <source>Logarithmic load</source>
        <translation>Muatan logaritmik</translation>
    </message>
    <message>
        <source>Hexadecimal numbers</source>
        <translation>Nomor heksadesimal</translation>
    </message>
    <message>
        <source>Partition map, 16 rows of 16 partitions</source>
        <translation>Peta partisi, 16 baris berisi 16 partisi</translation>
    </message>
    <message>
        <source>Find a face...</source>
        <translation>Cari wajah...</translation>
    </message>
    <message>
        <source>Assign to (draft)</source>
        <translation>Tetapkan kepada (draf)</translation>
    </message>
    <message>
        <source>Prepare a move to</source>
        <translation>Siapkan perpindahan ke</translation>
    </message>
    <message>
        <source>Assign %1 to %2</source>
        <translation>Tetapkan %1 kepada %2</translation>
    </message>
    <message>
        <source>%1: in the draft. Nothing is written yet.</source>
        <translation>%1: di dalam draf. Belum ada yang ditulis.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::MergeSheet</name>
    <message>
        <source>Lines of the draft</source>
        <translation>Baris draf</translation>
    </message>
    <message>
        <source>Lines of the new config</source>
        <translation>Baris konfigurasi baru</translation>
    </message>
    <message>
        <source>That was not done: %1</source>
        <translation>Itu tidak dilakukan: %1</translation>
    </message>
    <message numerus="yes">
        <source>The config was changed by somebody else, in %n place(s) where the draft changes it too. Left is the draft, right the new config. Everything else of both is kept; nothing is written yet.</source>
        <translation>
            <numerusform>Konfigurasi diubah oleh orang lain di %n tempat yang juga diubah draf. Kiri adalah draf, kanan konfigurasi baru. Selebihnya dari keduanya dipertahankan; belum ada yang ditulis.</numerusform>
        </translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>Baris %1</translation>
    </message>
    <message>
        <source>What stays at line %1</source>
        <translation>Yang bertahan di baris %1</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Pertahankan milik saya</translation>
    </message>
    <message>
        <source>The draft&apos;s lines stay</source>
        <translation>Baris draf bertahan</translation>
    </message>
    <message>
        <source>Take theirs</source>
        <translation>Ambil milik mereka</translation>
    </message>
    <message>
        <source>The new config&apos;s lines stay</source>
        <translation>Baris konfigurasi baru bertahan</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Gabungkan</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Batal</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::MetricsPage</name>
    <message>
        <source>Sum</source>
        <translation>Jumlah</translation>
    </message>
    <message>
        <source>Mean, up to the greatest</source>
        <translation>Rata-rata, sampai terbesar</translation>
    </message>
    <message>
        <source>No worker reports a GPU.</source>
        <translation>Tidak ada worker yang melaporkan GPU.</translation>
    </message>
    <message>
        <source>No worker has told this yet.</source>
        <translation>Belum ada worker yang melaporkan ini.</translation>
    </message>
    <message>
        <source>Metrics of %1; percent, counts, milliseconds; times in milliseconds since 1970</source>
        <translation>Metrik dari %1; persen, jumlah, milidetik; waktu dalam milidetik sejak 1970</translation>
    </message>
    <message>
        <source>Export metrics</source>
        <translation>Ekspor metrik</translation>
    </message>
    <message>
        <source>Export charts</source>
        <translation>Ekspor grafik</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prosesor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memori</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>Memori GPU</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Writes waiting</source>
        <translation>Tulisan menunggu</translation>
    </message>
    <message>
        <source>Answer to polls</source>
        <translation>Jawaban polling</translation>
    </message>
    <message>
        <source>Fan-out, as the coordinator measures</source>
        <translation>Fan-out, menurut coordinator</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Disk</translation>
    </message>
    <message>
        <source>Clock skew</source>
        <translation>Selisih jam</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>5 min</source>
        <translation>5 mnt</translation>
    </message>
    <message>
        <source>15 min</source>
        <translation>15 mnt</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 jam</translation>
    </message>
    <message>
        <source>6 h</source>
        <translation>6 jam</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>Sesi</translation>
    </message>
    <message>
        <source>Range of time</source>
        <translation>Rentang waktu</translation>
    </message>
    <message>
        <source>Per node</source>
        <translation>Per node</translation>
    </message>
    <message>
        <source>Mean and greatest</source>
        <translation>Rata-rata dan terbesar</translation>
    </message>
    <message>
        <source>How nodes are put together</source>
        <translation>Cara node digabungkan</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>Kembali ke sekarang</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Grafik</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::MiniMap</name>
    <message>
        <source>Partition %1: %2</source>
        <translation>Partisi %1: %2</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::NoTransport</name>
    <message>
        <source>A snapshot answers no requests.</source>
        <translation>Snapshot tidak menjawab permintaan.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::NodesPage</name>
    <message>
        <source>The configuration names no node yet.</source>
        <translation>Konfigurasi belum menyebut node.</translation>
    </message>
    <message>
        <source>Open configuration</source>
        <translation>Buka konfigurasi</translation>
    </message>
    <message>
        <source>Yes, %1 can be stopped: another healthy owner holds each of its partitions, and no write waits for it.</source>
        <translation>Ya, %1 boleh dihentikan: pemilik sehat lain memegang setiap partisinya, dan tidak ada tulisan yang menunggunya.</translation>
    </message>
    <message>
        <source>No, %1 must not be stopped now:</source>
        <translation>Tidak, %1 jangan dihentikan sekarang:</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>Rentang</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>This worker has not told its resources.</source>
        <translation>Worker ini belum melaporkan sumber dayanya.</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prosesor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memori</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1 (%2 dari %3)</translation>
    </message>
    <message>
        <source>Of which the worker</source>
        <translation>Di antaranya worker</translation>
    </message>
    <message>
        <source>Disk used</source>
        <translation>Disk terpakai</translation>
    </message>
    <message>
        <source>Disk free</source>
        <translation>Disk kosong</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Data</translation>
    </message>
    <message>
        <source>%1 busy, memory %2</source>
        <translation>%1 sibuk, memori %2</translation>
    </message>
    <message>
        <source>Address in the configuration</source>
        <translation>Alamat dalam konfigurasi</translation>
    </message>
    <message>
        <source>Reached at</source>
        <translation>Dijangkau di</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Bobot</translation>
    </message>
    <message>
        <source>Configured ranges</source>
        <translation>Rentang terkonfigurasi</translation>
    </message>
    <message>
        <source>Own word</source>
        <translation>Menurut node sendiri</translation>
    </message>
    <message>
        <source>Drift</source>
        <translation>Penyimpangan</translation>
    </message>
    <message>
        <source>The worker and the configuration name different partitions.</source>
        <translation>Worker dan konfigurasi menyebut partisi yang berbeda.</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>Kesalahan terakhir</translation>
    </message>
    <message>
        <source>Export nodes</source>
        <translation>Ekspor node</translation>
    </message>
    <message>
        <source>Nodes of %1</source>
        <translation>Node dari %1</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>Saring node</translation>
    </message>
    <message>
        <source>Details of the chosen node</source>
        <translation>Rincian node terpilih</translation>
    </message>
    <message>
        <source>Safe to stop?</source>
        <translation>Aman dihentikan?</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>Sumber daya</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfigurasi</translation>
    </message>
    <message>
        <source>Copy curl</source>
        <translation>Salin curl</translation>
    </message>
    <message>
        <source>Show on map</source>
        <translation>Tampilkan di peta</translation>
    </message>
    <message>
        <source>Rename the node</source>
        <translation>Ganti nama node</translation>
    </message>
    <message>
        <source>Name in this console; its address takes the name away</source>
        <translation>Nama di konsol ini; alamatnya menghapus nama itu</translation>
    </message>
    <message>
        <source>%1 is under maintenance: its notices are muted, its routing is unchanged.</source>
        <translation>%1 dalam perawatan: pemberitahuannya dibisukan, perutean tidak berubah.</translation>
    </message>
    <message>
        <source>%1 is no longer under maintenance.</source>
        <translation>%1 tidak lagi dalam perawatan.</translation>
    </message>
    <message>
        <source>Choose a node first.</source>
        <translation>Pilih node dahulu.</translation>
    </message>
    <message>
        <source>Choose two nodes first.</source>
        <translation>Pilih dua node dahulu.</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>Permintaan</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Bandingkan</translation>
    </message>
    <message>
        <source>The last requests to the node</source>
        <translation>Permintaan terakhir ke node</translation>
    </message>
    <message>
        <source>This console has not asked the node yet.</source>
        <translation>Konsol ini belum bertanya kepada node.</translation>
    </message>
    <message>
        <source>Two nodes side by side</source>
        <translation>Dua node berdampingan</translation>
    </message>
    <message>
        <source>Choose two nodes in the table, with Ctrl and a click.</source>
        <translation>Pilih dua node di tabel, dengan Ctrl dan klik.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>What can be done with the chosen node</source>
        <translation>Yang dapat dilakukan dengan node terpilih</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::OverviewPage</name>
    <message>
        <source>No worker has told its vectors.</source>
        <translation>Belum ada worker yang melaporkan vektornya.</translation>
    </message>
    <message>
        <source>Partition %1</source>
        <translation>Partisi %1</translation>
    </message>
    <message>
        <source>No worker has told its memory.</source>
        <translation>Belum ada worker yang melaporkan memorinya.</translation>
    </message>
    <message>
        <source>Export nodes</source>
        <translation>Ekspor node</translation>
    </message>
    <message>
        <source>Nodes of %1</source>
        <translation>Node dari %1</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Ikhtisar</translation>
    </message>
    <message>
        <source>Key space</source>
        <translation>Ruang kunci</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>Heaviest partitions, in vectors</source>
        <translation>Partisi terberat, dalam vektor</translation>
    </message>
    <message>
        <source>Nearest to their memory limit</source>
        <translation>Paling dekat batas memori</translation>
    </message>
    <message>
        <source>Recent events</source>
        <translation>Peristiwa terbaru</translation>
    </message>
    <message>
        <source>Small picture of the partition map</source>
        <translation>Gambar kecil peta partisi</translation>
    </message>
    <message>
        <source>Nothing has happened since the console was opened.</source>
        <translation>Belum ada peristiwa sejak konsol dibuka.</translation>
    </message>
    <message>
        <source>The configuration names no node yet.</source>
        <translation>Konfigurasi belum menyebut node.</translation>
    </message>
    <message>
        <source>%1, full in %2</source>
        <translation>%1, penuh dalam %2</translation>
    </message>
    <message>
        <source>Slowest to answer the coordinator</source>
        <translation>Paling lambat menjawab koordinator</translation>
    </message>
    <message>
        <source>The coordinator has told no times.</source>
        <translation>Koordinator tidak menyebut waktu.</translation>
    </message>
    <message>
        <source>p50 %1, p99 %2</source>
        <translation>p50 %1, p99 %2</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Page</name>
    <message>
        <source>Waiting for the first answer...</source>
        <translation>Menunggu jawaban pertama...</translation>
    </message>
    <message>
        <source>Connect to see this.</source>
        <translation>Hubungkan untuk melihat ini.</translation>
    </message>
    <message>
        <source>Connect...</source>
        <translation>Hubungkan...</translation>
    </message>
    <message>
        <source>Snapshot of %1. Nothing here is live.</source>
        <translation>Snapshot dari %1. Tidak ada yang langsung di sini.</translation>
    </message>
    <message>
        <source>Refresh paused. Ctrl+Shift+R resumes.</source>
        <translation>Penyegaran dijeda. Ctrl+Shift+R melanjutkan.</translation>
    </message>
    <message>
        <source>Last data %1.</source>
        <translation>Data terakhir %1.</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n node(s) answered.</source>
        <translation>
            <numerusform>%1 dari %n node menjawab.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::PartitionDelegate</name>
    <message>
        <source>GAP</source>
        <comment>on a cell of the map, short</comment>
        <translation>CELAH</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::PhotoButton</name>
    <message>
        <source>Open a photo</source>
        <translation>Buka foto</translation>
    </message>
    <message>
        <source>Photos (*.jpg *.jpeg *.png *.webp *.bmp)</source>
        <translation>Foto (*.jpg *.jpeg *.png *.webp *.bmp)</translation>
    </message>
    <message>
        <source>Photos stay in memory and go when the page is left</source>
        <translation>Foto tetap di memori dan hilang saat halaman ditinggalkan</translation>
    </message>
    <message>
        <source>&amp;Open...</source>
        <translation>&amp;Buka...</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Tempel</translation>
    </message>
    <message>
        <source>The one sent &amp;last</source>
        <translation>Yang &amp;terakhir dikirim</translation>
    </message>
    <message>
        <source>&amp;Drawn sample faces</source>
        <translation>Wajah contoh &amp;gambar</translation>
    </message>
    <message>
        <source>Face &amp;%1</source>
        <translation>Wajah &amp;%1</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>&amp;Kosongkan</translation>
    </message>
    <message>
        <source>&amp;Keep photos until I quit</source>
        <translation>&amp;Simpan foto sampai keluar</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::PhotoView</name>
    <message>
        <source>Photo: none yet. Enter opens a file, Ctrl+V pastes.</source>
        <translation>Foto: belum ada. Enter membuka berkas, Ctrl+V menempel.</translation>
    </message>
    <message numerus="yes">
        <source>Photo, %1, %n face(s) found</source>
        <translation>
            <numerusform>Foto, %1, %n wajah ditemukan</numerusform>
        </translation>
    </message>
    <message>
        <source>The file is larger than %1.</source>
        <translation>Berkas lebih besar dari %1.</translation>
    </message>
    <message>
        <source>This is no JPEG, PNG, WebP or BMP picture.</source>
        <translation>Ini bukan gambar JPEG, PNG, WebP atau BMP.</translation>
    </message>
    <message>
        <source>The picture cannot be read: %1</source>
        <translation>Gambar tidak dapat dibaca: %1</translation>
    </message>
    <message>
        <source>Drop a photo, paste one, or click to open</source>
        <translation>Jatuhkan foto, tempel, atau klik untuk membuka</translation>
    </message>
    <message>
        <source>used %1</source>
        <comment>face</comment>
        <translation>dipakai %1</translation>
    </message>
    <message>
        <source>There is no picture on the clipboard.</source>
        <translation>Tidak ada gambar di papan klip.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::PlannerPage</name>
    <message>
        <source>several per node</source>
        <translation>beberapa per node</translation>
    </message>
    <message>
        <source>one per node</source>
        <translation>satu per node</translation>
    </message>
    <message>
        <source>fewest moves</source>
        <translation>perpindahan tersedikit</translation>
    </message>
    <message>
        <source>best balance</source>
        <translation>keseimbangan terbaik</translation>
    </message>
    <message>
        <source>balance by vectors</source>
        <translation>seimbang menurut vektor</translation>
    </message>
    <message>
        <source>fewest ranges</source>
        <translation>rentang tersedikit</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>Perencana</translation>
    </message>
    <message>
        <source>What is shown of the plan</source>
        <translation>Apa yang ditampilkan dari rencana</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>Peta</translation>
    </message>
    <message>
        <source>Who owns each partition, step by step</source>
        <translation>Siapa memiliki setiap partisi, langkah demi langkah</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>Perpindahan</translation>
    </message>
    <message>
        <source>Which partitions go where, and why</source>
        <translation>Partisi mana pindah ke mana, dan mengapa</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>What the plan means for each node</source>
        <translation>Arti rencana bagi setiap node</translation>
    </message>
    <message>
        <source>Where the plan starts</source>
        <translation>Titik awal rencana</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Langsung</translation>
    </message>
    <message>
        <source>From the running map</source>
        <translation>Dari peta yang berjalan</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Draf</translation>
    </message>
    <message>
        <source>From the Configuration&apos;s draft</source>
        <translation>Dari draf Konfigurasi</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Berkas</translation>
    </message>
    <message>
        <source>From a config.yml of this computer</source>
        <translation>Dari config.yml di komputer ini</translation>
    </message>
    <message>
        <source>Before or after</source>
        <translation>Sebelum atau sesudah</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Sebelum</translation>
    </message>
    <message>
        <source>The map as it is; hold T to flip</source>
        <translation>Peta seperti sekarang; tahan T untuk membalik</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Sesudah</translation>
    </message>
    <message>
        <source>The map after the plan; hold T to flip</source>
        <translation>Peta sesudah rencana; tahan T untuk membalik</translation>
    </message>
    <message>
        <source>&amp;Copies</source>
        <translation>&amp;Salinan</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>seperti sekarang</translation>
    </message>
    <message>
        <source>Copies of each partition</source>
        <translation>Salinan setiap partisi</translation>
    </message>
    <message>
        <source>&amp;Ranges</source>
        <translation>&amp;Rentang</translation>
    </message>
    <message>
        <source>Ranges per node</source>
        <translation>Rentang per node</translation>
    </message>
    <message>
        <source>&amp;Objective</source>
        <translation>&amp;Tujuan</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Tujuan</translation>
    </message>
    <message>
        <source>At &amp;most</source>
        <translation>&amp;Paling banyak</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>tanpa batas</translation>
    </message>
    <message>
        <source> moves</source>
        <translation> perpindahan</translation>
    </message>
    <message>
        <source>Most moves</source>
        <translation>Perpindahan paling banyak</translation>
    </message>
    <message>
        <source>R&amp;ate</source>
        <translation>&amp;Laju</translation>
    </message>
    <message>
        <source> vectors/s</source>
        <translation> vektor/dtk</translation>
    </message>
    <message>
        <source>Vectors per second of one move</source>
        <translation>Vektor per detik untuk satu perpindahan</translation>
    </message>
    <message>
        <source>&amp;Pinned</source>
        <translation>&amp;Dipatok</translation>
    </message>
    <message>
        <source>182-207: worker-7</source>
        <translation>182-207: worker-7</translation>
    </message>
    <message>
        <source>Pinned partitions</source>
        <translation>Partisi yang dipatok</translation>
    </message>
    <message>
        <source>Step of the plan</source>
        <translation>Langkah rencana</translation>
    </message>
    <message>
        <source>Partition map of the plan, 16 rows of 16 partitions</source>
        <translation>Peta partisi rencana, 16 baris berisi 16 partisi</translation>
    </message>
    <message>
        <source>Nodes and what becomes of them</source>
        <translation>Node dan nasibnya</translation>
    </message>
    <message>
        <source>Nodes after the plan</source>
        <translation>Node sesudah rencana</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Simpan</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>Simpan rencana</translation>
    </message>
    <message>
        <source>Start from a config file</source>
        <translation>Mulai dari berkas konfigurasi</translation>
    </message>
    <message>
        <source>There is no such plan: %1.</source>
        <translation>Rencana seperti itu tidak ada: %1.</translation>
    </message>
    <message>
        <source>Nothing has to move: the map is as balanced as it can be.</source>
        <translation>Tidak ada yang perlu pindah: peta sudah seimbang sebaik mungkin.</translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) move, of at least %1.</source>
        <translation>
            <numerusform>%n partisi pindah, dari sedikitnya %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 vectors</source>
        <translation>%1 vektor</translation>
    </message>
    <message numerus="yes">
        <source>%n wave(s)</source>
        <translation>
            <numerusform>%n gelombang</numerusform>
        </translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>sekitar %1</translation>
    </message>
    <message>
        <source>max/mean %1 → %2</source>
        <translation>maks/rata-rata %1 → %2</translation>
    </message>
    <message>
        <source>%1 of at least %2</source>
        <translation>%1 dari sedikitnya %2</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Data</translation>
    </message>
    <message>
        <source>Waves</source>
        <translation>Gelombang</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Waktu</translation>
    </message>
    <message>
        <source>Ranges</source>
        <translation>Rentang</translation>
    </message>
    <message>
        <source>Max/mean</source>
        <translation>Maks/rata-rata</translation>
    </message>
    <message>
        <source>By vectors</source>
        <translation>Menurut vektor</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Catatan</translation>
    </message>
    <message>
        <source>before wave 1</source>
        <translation>sebelum gelombang 1</translation>
    </message>
    <message>
        <source>after wave %1 of %2</source>
        <translation>sesudah gelombang %1 dari %2</translation>
    </message>
    <message>
        <source>On the Planner page only.</source>
        <translation>Hanya di halaman Perencana.</translation>
    </message>
    <message>
        <source>Choose a node first.</source>
        <translation>Pilih node dahulu.</translation>
    </message>
    <message>
        <source>There is no map to start from.</source>
        <translation>Tidak ada peta untuk memulai.</translation>
    </message>
    <message>
        <source>The plan is being made.</source>
        <translation>Rencana sedang dibuat.</translation>
    </message>
    <message>
        <source>There is no plan that changes anything.</source>
        <translation>Tidak ada rencana yang mengubah sesuatu.</translation>
    </message>
    <message>
        <source>Add a node</source>
        <translation>Tambah node</translation>
    </message>
    <message>
        <source>Its address, like 10.0.0.9:4003</source>
        <translation>Alamatnya, misalnya 10.0.0.9:4003</translation>
    </message>
    <message>
        <source>Weight of %1</source>
        <translation>Bobot %1</translation>
    </message>
    <message>
        <source>Its share relative to the others, 0.01 to 100</source>
        <translation>Bagiannya dibanding yang lain, 0.01 sampai 100</translation>
    </message>
    <message>
        <source>Partitions and who must own them, like 182-207: worker-7; 5: worker-1</source>
        <translation>Partisi dan siapa yang harus memilikinya, misalnya 182-207: worker-7; 5: worker-1</translation>
    </message>
    <message>
        <source>That was not done: %1</source>
        <translation>Itu tidak dilakukan: %1</translation>
    </message>
    <message numerus="yes">
        <source>Plan: %n move(s)</source>
        <translation>
            <numerusform>Rencana: %n perpindahan</numerusform>
        </translation>
    </message>
    <message>
        <source>The plan is in the draft. Nothing has been written yet.</source>
        <translation>Rencana ada di draf. Belum ada yang ditulis.</translation>
    </message>
    <message>
        <source>Save the runbook</source>
        <translation>Simpan runbook</translation>
    </message>
    <message>
        <source>Export moves</source>
        <translation>Ekspor perpindahan</translation>
    </message>
    <message>
        <source>Export the map</source>
        <translation>Ekspor peta</translation>
    </message>
    <message>
        <source>This coordinator does not offer its config (/v1/cluster/config).</source>
        <translation>Coordinator ini tidak menyediakan konfigurasinya (/v1/cluster/config).</translation>
    </message>
    <message>
        <source>Waiting for the config...</source>
        <translation>Menunggu konfigurasi...</translation>
    </message>
    <message>
        <source>Nothing has to move.</source>
        <translation>Tidak ada yang perlu pindah.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ProblemPanel</name>
    <message>
        <source>No errors or warnings</source>
        <translation>Tidak ada kesalahan atau peringatan</translation>
    </message>
    <message>
        <source>Problems: %1, %2</source>
        <comment>errors, warnings</comment>
        <translation>Masalah: %1, %2</translation>
    </message>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n kesalahan</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n peringatan</numerusform>
        </translation>
    </message>
    <message>
        <source>Quick fix: %1</source>
        <translation>Perbaikan cepat: %1</translation>
    </message>
    <message>
        <source>Merge both</source>
        <translation>Gabungkan keduanya</translation>
    </message>
    <message>
        <source>Take the new one, drop the draft</source>
        <translation>Ambil yang baru, buang draf</translation>
    </message>
    <message>
        <source>Open the planner</source>
        <translation>Buka perencana</translation>
    </message>
    <message>
        <source>The data of partitions %1 has already been migrated</source>
        <translation>Data partisi %1 sudah dimigrasikan</translation>
    </message>
    <message>
        <source>Partitions %1 would go to nodes that hold none of their vectors: their identities could not be found.</source>
        <translation>Partisi %1 akan berpindah ke node yang tidak menyimpan vektornya: identitasnya tidak dapat ditemukan.</translation>
    </message>
    <message>
        <source>Problems of the draft</source>
        <translation>Masalah draf</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::QueuePage</name>
    <message>
        <source>This coordinator does not report its queue (%1).</source>
        <translation>Coordinator ini tidak melaporkan antreannya (%1).</translation>
    </message>
    <message>
        <source>Waiting for the queue...</source>
        <translation>Menunggu antrean...</translation>
    </message>
    <message>
        <source>Writes waiting</source>
        <translation>Tulisan menunggu</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Di disk</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Batas</translation>
    </message>
    <message>
        <source>Oldest</source>
        <translation>Tertua</translation>
    </message>
    <message>
        <source>Nodes behind</source>
        <translation>Node tertinggal</translation>
    </message>
    <message>
        <source>Choose a node to see what waits for it.</source>
        <translation>Pilih node untuk melihat yang menunggunya.</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Node</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Keadaan</translation>
    </message>
    <message>
        <source>Parked</source>
        <translation>Diparkir</translation>
    </message>
    <message numerus="yes">
        <source>%n write(s) that the worker refused; they stay until it is repaired.</source>
        <translation>
            <numerusform>%n tulisan ditolak worker; tetap ada sampai diperbaiki.</numerusform>
        </translation>
    </message>
    <message>
        <source>Writes expired or were lost: verify this node by a full resync.</source>
        <translation>Tulisan kedaluwarsa atau hilang: verifikasi node ini dengan sinkronisasi penuh.</translation>
    </message>
    <message>
        <source>Empty in about</source>
        <translation>Kosong dalam sekitar</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>Kesalahan terakhir</translation>
    </message>
    <message>
        <source>Export the queue</source>
        <translation>Ekspor antrean</translation>
    </message>
    <message>
        <source>Write queue of %1; bytes, seconds, writes per second</source>
        <translation>Antrean tulis dari %1; byte, detik, tulisan per detik</translation>
    </message>
    <message>
        <source>Write queue</source>
        <translation>Antrean tulis</translation>
    </message>
    <message>
        <source>Filter nodes</source>
        <translation>Saring node</translation>
    </message>
    <message>
        <source>Writes that wait, by node</source>
        <translation>Tulisan yang menunggu, per node</translation>
    </message>
    <message>
        <source>Writes waiting, last 15 minutes</source>
        <translation>Tulisan menunggu, 15 menit terakhir</translation>
    </message>
    <message>
        <source>Choose a node first.</source>
        <translation>Pilih node dulu.</translation>
    </message>
    <message numerus="yes">
        <source>The queue of %1: %n write(s) concerned.</source>
        <translation>
            <numerusform>Antrean %1: menyangkut %n tulisan.</numerusform>
        </translation>
    </message>
    <message>
        <source>The queue of %1 was not changed: %2</source>
        <translation>Antrean %1 tidak diubah: %2</translation>
    </message>
    <message>
        <source>Discard a queue</source>
        <translation>Buang antrean</translation>
    </message>
    <message>
        <source>Forget all writes that wait for %1?</source>
        <translation>Lupakan semua tulisan yang menunggu %1?</translation>
    </message>
    <message>
        <source>%1 writes diverge until the node has been filled from its replicas.</source>
        <translation>%1 tulisan berbeda sampai node diisi dari replikanya.</translation>
    </message>
    <message>
        <source>How many writes that are is not known.</source>
        <translation>Jumlah tulisannya tidak diketahui.</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Buang</translation>
    </message>
    <message>
        <source>Paused by an operator: writes are kept, not sent.</source>
        <translation>Dijeda operator: tulisan disimpan, tidak dikirim.</translation>
    </message>
    <message>
        <source>No writes wait for anybody.</source>
        <translation>Tidak ada tulisan yang menunggu.</translation>
    </message>
    <message>
        <source>%1, partition %2: %3</source>
        <translation>%1, partisi %2: %3</translation>
    </message>
    <message>
        <source>%1 lacks %2</source>
        <comment>node, vectors</comment>
        <translation>%1 kekurangan %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln vector(s)</source>
        <translation>
            <numerusform>%Ln vektor</numerusform>
        </translation>
    </message>
    <message>
        <source>Writes expired or were lost: %1 of partitions %2, though none waits. Compare the replicas.</source>
        <translation>Penulisan kedaluwarsa atau hilang: %1 dari partisi %2, padahal tidak ada yang menunggu. Bandingkan replika.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::RailButton</name>
    <message>
        <source>%1, %2 to look at</source>
        <translation>%1, %2 perlu dilihat</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1, berubah</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::SafeToStop</name>
    <message numerus="yes">
        <source>No other healthy owner has %n partition(s): %1.</source>
        <translation>
            <numerusform>Tidak ada pemilik sehat lain untuk %n partisi: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Other owners hold another number of vectors of %n partition(s): %1.</source>
        <translation>
            <numerusform>Pemilik lain memegang jumlah vektor berbeda untuk %n partisi: %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The vectors of %n partition(s) are not known: %1.</source>
        <translation>
            <numerusform>Vektor %n partisi tidak diketahui: %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Whether writes wait for it is not known.</source>
        <translation>Tidak diketahui apakah ada tulisan yang menunggunya.</translation>
    </message>
    <message numerus="yes">
        <source>%n write(s) wait for it.</source>
        <translation>
            <numerusform>%n tulisan menunggunya.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::SaveFile</name>
    <message>
        <source>Saved %1.</source>
        <translation>%1 disimpan.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>%1 tidak dapat ditulis: %2</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::SeriesTableModel</name>
    <message>
        <source>Time</source>
        <translation>Waktu</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::ShareBars</name>
    <message>
        <source>%1: greatest share %2 times the mean</source>
        <translation>%1: bagian terbesar %2 kali rata-rata</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Memori</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>tidak dilaporkan</translation>
    </message>
    <message>
        <source>max/mean %1</source>
        <translation>maks/rata-rata %1</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>tidak lengkap</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::SlideOver</name>
    <message>
        <source>Close (Esc)</source>
        <translation>Tutup (Esc)</translation>
    </message>
    <message>
        <source>Close the side column</source>
        <translation>Tutup kolom samping</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::SnapshotEvents</name>
    <message>
        <source>%1 is new.</source>
        <translation>%1 baru.</translation>
    </message>
    <message>
        <source>%1: %2, before %3</source>
        <translation>%1: %2, sebelumnya %3</translation>
    </message>
    <message>
        <source>%1 is gone.</source>
        <translation>%1 tidak ada lagi.</translation>
    </message>
    <message>
        <source>configuration</source>
        <translation>konfigurasi</translation>
    </message>
    <message>
        <source>The running map changed from %1 to %2.</source>
        <translation>Peta yang berjalan berubah dari %1 ke %2.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Sparkline</name>
    <message>
        <source>Not known.</source>
        <translation>Tidak diketahui.</translation>
    </message>
    <message>
        <source>Empty.</source>
        <translation>Kosong.</translation>
    </message>
    <message>
        <source>%1 to %2 in a partition, %3 on average.</source>
        <translation>%1 sampai %2 per partisi, rata-rata %3.</translation>
    </message>
    <message>
        <source>Too few to judge the spread.</source>
        <translation>Terlalu sedikit untuk menilai sebaran.</translation>
    </message>
    <message>
        <source>Spread as evenly as chance does it (chi-square %1 of 255).</source>
        <translation>Tersebar serata kebetulan (khi-kuadrat %1 dari 255).</translation>
    </message>
    <message>
        <source>Less even than chance makes it (chi-square %1 of 255).</source>
        <translation>Kurang rata dibanding kebetulan (khi-kuadrat %1 dari 255).</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>kosong</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>tidak diketahui</translation>
    </message>
    <message>
        <source>Partition %1: %2.</source>
        <translation>Partisi %1: %2.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::StateStack</name>
    <message>
        <source>Copy details</source>
        <translation>Salin rincian</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::StepBar</name>
    <message>
        <source>still to come</source>
        <comment>step</comment>
        <translation>belum</translation>
    </message>
    <message>
        <source>waits for you</source>
        <comment>step</comment>
        <translation>menunggu Anda</translation>
    </message>
    <message>
        <source>running</source>
        <comment>step</comment>
        <translation>berjalan</translation>
    </message>
    <message>
        <source>done</source>
        <comment>step</comment>
        <translation>selesai</translation>
    </message>
    <message>
        <source>failed</source>
        <comment>step</comment>
        <translation>gagal</translation>
    </message>
    <message>
        <source>%1. %2: %3</source>
        <comment>number, name and state of a step</comment>
        <translation>%1. %2: %3</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Langkah</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::TimeSeriesView</name>
    <message>
        <source>%1: no data</source>
        <translation>%1: tidak ada data</translation>
    </message>
    <message>
        <source>%1 %2: %3, steady</source>
        <translation>%1 %2: %3, tetap</translation>
    </message>
    <message>
        <source>%1 %2: %3, rising</source>
        <translation>%1 %2: %3, naik</translation>
    </message>
    <message>
        <source>%1 %2: %3, falling</source>
        <translation>%1 %2: %3, turun</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>belum ada data</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::TimingPane</name>
    <message>
        <source>Waiting for the first answer...</source>
        <translation>Menunggu jawaban pertama...</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>repetitions</comment>
        <translation>%1 dari %2</translation>
    </message>
    <message>
        <source>%1: p50 %2, p95 %3</source>
        <translation>%1: p50 %2, p95 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n gagal</numerusform>
        </translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Ulangi</translation>
    </message>
    <message>
        <source> times</source>
        <translation> kali</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>Berapa kali</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Berhenti</translation>
    </message>
    <message>
        <source>Ask every node</source>
        <translation>Tanya setiap node</translation>
    </message>
    <message>
        <source>Each node gets the photo by itself, four at a time: a coordinator&apos;s answer names no times.</source>
        <translation>Setiap node menerima foto sendiri, empat sekaligus: jawaban koordinator tidak menyebut waktu.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::TryPage</name>
    <message>
        <source>Recognise</source>
        <translation>Kenali</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Bandingkan</translation>
    </message>
    <message>
        <source>Enrol</source>
        <translation>Daftarkan</translation>
    </message>
    <message>
        <source>Look up</source>
        <translation>Lihat</translation>
    </message>
    <message>
        <source>Coordinator</source>
        <translation>Coordinator</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Coba</translation>
    </message>
    <message>
        <source>Recognise 1:N</source>
        <translation>Pengenalan 1:N</translation>
    </message>
    <message>
        <source>Match 1:1</source>
        <translation>Pencocokan 1:1</translation>
    </message>
    <message>
        <source>Get or delete by id</source>
        <translation>Ambil atau hapus menurut id</translation>
    </message>
    <message>
        <source>&amp;Send to</source>
        <translation>&amp;Kirim ke</translation>
    </message>
    <message>
        <source>&amp;Keyspace</source>
        <translation>&amp;Keyspace</translation>
    </message>
    <message>
        <source>&amp;Face id</source>
        <translation>&amp;Id wajah</translation>
    </message>
    <message>
        <source>&amp;Threshold</source>
        <translation>&amp;Ambang</translation>
    </message>
    <message>
        <source>Send to</source>
        <translation>Kirim ke</translation>
    </message>
    <message>
        <source>Keyspace</source>
        <translation>Keyspace</translation>
    </message>
    <message>
        <source>Face id</source>
        <translation>Id wajah</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Ambang</translation>
    </message>
    <message>
        <source>Delete...</source>
        <translation>Hapus...</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>Jawaban</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Permintaan</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>Salin sebagai curl</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>Waiting for the answer...</source>
        <translation>Menunggu jawaban...</translation>
    </message>
    <message>
        <source>No program to send it to.</source>
        <translation>Tidak ada program tujuan.</translation>
    </message>
    <message>
        <source>A photo is needed first.</source>
        <translation>Foto diperlukan dulu.</translation>
    </message>
    <message>
        <source>A second photo or a face id is needed.</source>
        <translation>Foto kedua atau id wajah diperlukan.</translation>
    </message>
    <message>
        <source>A face id is needed.</source>
        <translation>Id wajah diperlukan.</translation>
    </message>
    <message>
        <source>Not answered: not all partitions could be searched</source>
        <translation>Tidak terjawab: tidak semua partisi dapat dicari</translation>
    </message>
    <message>
        <source>Not answered</source>
        <translation>Tidak terjawab</translation>
    </message>
    <message>
        <source>Nothing sent yet</source>
        <translation>Belum ada yang dikirim</translation>
    </message>
    <message>
        <source>Similarity %1</source>
        <translation>Kemiripan %1</translation>
    </message>
    <message>
        <source>No similarity was told</source>
        <translation>Kemiripan tidak dilaporkan</translation>
    </message>
    <message>
        <source>above: the same person</source>
        <translation>di atas: orang yang sama</translation>
    </message>
    <message>
        <source>below: different persons</source>
        <translation>di bawah: orang berbeda</translation>
    </message>
    <message>
        <source>Not enrolled</source>
        <translation>Tidak terdaftar</translation>
    </message>
    <message>
        <source>Enrolled as %1</source>
        <translation>Terdaftar sebagai %1</translation>
    </message>
    <message>
        <source>Photo</source>
        <translation>Foto</translation>
    </message>
    <message>
        <source>Copies written</source>
        <translation>Salinan ditulis</translation>
    </message>
    <message>
        <source>Copies queued</source>
        <translation>Salinan antre</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Ditemukan</translation>
    </message>
    <message>
        <source>Searched</source>
        <translation>Dicari</translation>
    </message>
    <message>
        <source>%1 of %2 partitions</source>
        <translation>%1 dari %2 partisi</translation>
    </message>
    <message>
        <source>Vectors compared</source>
        <translation>Vektor dibandingkan</translation>
    </message>
    <message>
        <source>Faces in the photo</source>
        <translation>Wajah dalam foto</translation>
    </message>
    <message>
        <source>Answer took</source>
        <translation>Jawaban butuh</translation>
    </message>
    <message>
        <source>Delete a face</source>
        <translation>Hapus wajah</translation>
    </message>
    <message>
        <source>Delete face %1 of keyspace %2?</source>
        <translation>Hapus wajah %1 dari keyspace %2?</translation>
    </message>
    <message>
        <source>All its photos go; the person cannot be found any more.</source>
        <translation>Semua fotonya dihapus; orang ini tidak dapat ditemukan lagi.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Hapus</translation>
    </message>
    <message>
        <source>Face %1 is deleted.</source>
        <translation>Wajah %1 dihapus.</translation>
    </message>
    <message>
        <source>Face %1 was not deleted: %2</source>
        <translation>Wajah %1 tidak dihapus: %2</translation>
    </message>
    <message>
        <source>Partition %1, written to %2</source>
        <translation>Partisi %1, ditulis ke %2</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>tidak ada</translation>
    </message>
    <message>
        <source>queued for %1</source>
        <translation>diantrekan untuk %1</translation>
    </message>
    <message>
        <source>Export candidates</source>
        <translation>Ekspor kandidat</translation>
    </message>
    <message>
        <source>Candidates; similarity 0..1</source>
        <translation>Kandidat; kemiripan 0..1</translation>
    </message>
    <message>
        <source>Candidates appear here, best first.</source>
        <translation>Kandidat muncul di sini, terbaik lebih dulu.</translation>
    </message>
    <message>
        <source>&amp;Answer even if nodes are missing</source>
        <translation>J&amp;awab walau ada node yang hilang</translation>
    </message>
    <message>
        <source>Answer even if nodes are missing</source>
        <translation>Jawab walau ada node yang hilang</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Waktu</translation>
    </message>
    <message>
        <source>Second photo</source>
        <translation>Foto kedua</translation>
    </message>
    <message>
        <source>Response, request and times</source>
        <translation>Jawaban, permintaan, dan waktu</translation>
    </message>
    <message>
        <source>It will be refused: no owner is there to take it.</source>
        <translation>Akan ditolak: tidak ada pemilik yang menerimanya.</translation>
    </message>
    <message>
        <source>Face that was used</source>
        <translation>Wajah yang dipakai</translation>
    </message>
    <message>
        <source>%1 x %2 pixels, detector %3</source>
        <translation>%1 x %2 piksel, detektor %3</translation>
    </message>
    <message>
        <source>Quality (norm)</source>
        <translation>Mutu (norm)</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::TryReply</name>
    <message>
        <source>Best of %1 of %2 partitions</source>
        <translation>Terbaik dari %1 dari %2 partisi</translation>
    </message>
    <message>
        <source>nothing there</source>
        <translation>tidak ada</translation>
    </message>
    <message>
        <source>No match: the keyspace holds no similar face</source>
        <translation>Tidak cocok: keyspace tidak memegang wajah mirip</translation>
    </message>
    <message>
        <source>%1: %2 with %3</source>
        <translation>%1: %2 dengan %3</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 dengan %2</translation>
    </message>
    <message>
        <source>%1: nobody above %2</source>
        <translation>%1: tidak ada di atas %2</translation>
    </message>
    <message>
        <source>No match: nobody above %1</source>
        <translation>Tidak cocok: tidak ada di atas %1</translation>
    </message>
    <message>
        <source>%1 (partitions %2): %3</source>
        <translation>%1 (partisi %2): %3</translation>
    </message>
    <message>
        <source>Only %1 of %2 partitions were searched. Missing: %3</source>
        <translation>Hanya %1 dari %2 partisi yang dicari. Kurang: %3</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::Verdict</name>
    <message>
        <source>%1 is %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 is %2 since %3</source>
        <translation>%1 %2 sejak %3</translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) (%1) cannot be searched</source>
        <translation>
            <numerusform>%n partisi (%1) tidak dapat dicari</numerusform>
        </translation>
    </message>
    <message>
        <source>no healthy owner among %1</source>
        <translation>tidak ada pemilik sehat di antara %1</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>Partisi</translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) (%1) belong to nobody.</source>
        <translation>
            <numerusform>%n partisi (%1) tidak dimiliki siapa pun.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n partition(s) (%1) have fewer healthy owners than they should.</source>
        <translation>
            <numerusform>%n partisi (%1) memiliki pemilik sehat lebih sedikit dari seharusnya.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has not been heard of: what it holds is unknown.</source>
        <translation>%1 tidak terdengar: isinya tidak diketahui.</translation>
    </message>
    <message>
        <source>%1 needs a full resync: writes for it were lost or expired.</source>
        <translation>%1 perlu sinkronisasi penuh: tulisan untuknya hilang atau kedaluwarsa.</translation>
    </message>
    <message numerus="yes">
        <source>%n write(s) for %1 are parked.</source>
        <translation>
            <numerusform>%n tulisan untuk %1 diparkir.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 answers but is not in the configuration.</source>
        <translation>%1 menjawab tetapi tidak ada dalam konfigurasi.</translation>
    </message>
    <message numerus="yes">
        <source>All 256 partitions have %n healthy owner(s).</source>
        <translation>
            <numerusform>Ke-256 partisi memiliki %n pemilik sehat.</numerusform>
        </translation>
    </message>
    <message>
        <source>All 256 partitions have all their owners healthy.</source>
        <translation>Ke-256 partisi memiliki semua pemilik sehat.</translation>
    </message>
    <message numerus="yes">
        <source>Checked %1 on %2 of %n node(s).</source>
        <translation>
            <numerusform>Diperiksa %1 pada %2 dari %n node.</numerusform>
        </translation>
    </message>
    <message>
        <source>The coordinator does not answer: %1</source>
        <translation>Coordinator tidak menjawab: %1</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfigurasi</translation>
    </message>
    <message>
        <source>Unknown: no node has been named yet.</source>
        <translation>Tidak diketahui: belum ada node yang disebut.</translation>
    </message>
    <message numerus="yes">
        <source>Unknown: %1 of %n node(s) have not answered.</source>
        <translation>
            <numerusform>Tidak diketahui: %1 dari %n node belum menjawab.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unknown: the state of %n partition(s) is not known.</source>
        <translation>
            <numerusform>Tidak diketahui: keadaan %n partisi tidak diketahui.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 writes are queued.</source>
        <translation>%1 tulisan antre.</translation>
    </message>
</context>
<context>
    <name>fremis::console::ui::VerdictCard</name>
    <message>
        <source>Show on map</source>
        <translation>Tampilkan di peta</translation>
    </message>
    <message>
        <source>Open node</source>
        <translation>Buka node</translation>
    </message>
</context>
</TS>
